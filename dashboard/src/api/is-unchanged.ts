import type { FetchQueryOptions, QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Whether the server still has what the person was shown, as far as it matters. When it does not, the pages show the
 * present from then on. Asked before a change that would be another one for a state that the person has not seen.
 */
export async function isUnchanged<Data, Key extends QueryKey>(
  queryClient: QueryClient,
  query: FetchQueryOptions<Data, Error, Data, Key>,
  matter: (data: Data) => unknown,
): Promise<boolean> {
  const shown = queryClient.getQueryData<Data>(query.queryKey);
  const present = await queryClient.fetchQuery({ ...query, staleTime: 0, retry: false });
  return shown !== undefined && JSON.stringify(matter(shown)) === JSON.stringify(matter(present));
}
