/** What the URL of a list with pages says. */

export function pageIn(parameters: URLSearchParams): number {
  const page = Number(parameters.get('page') ?? '1');
  return Number.isSafeInteger(page) && page >= 1 ? page : 1;
}

/** The filters that are set, and the page unless it is the first. */
export function listHref(
  path: string,
  { filters, page }: { filters: Readonly<Record<string, string | null>>; page: number },
): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) {
    if (value !== null) parameters.set(name, value);
  }
  if (page > 1) parameters.set('page', String(page));
  const search = parameters.toString();
  return search === '' ? path : `${path}?${search}`;
}
