/** The methods of each path, for the `Allow` header of a 405 response. */
export class RouteMethods {
  readonly #routes = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();

  add(url: string, methods: readonly string[]): void {
    const route = this.#routes.get(url) ?? { pattern: toPattern(url), methods: new Set<string>() };
    for (const method of methods) route.methods.add(method);
    this.#routes.set(url, route);
  }

  methodsOf(requestUrl: string): string[] {
    // A proxy may send an absolute URL.
    const path = requestUrl.replace(/^https?:\/\/[^/?]*/i, '').replace(/\?.*$/s, '');
    const methods = new Set<string>();
    for (const route of this.#routes.values()) {
      if (route.pattern.test(path)) for (const method of route.methods) methods.add(method);
    }
    return [...methods].sort();
  }
}

/** Converts `/v1/runs/:run_id/` or `/v1/model-pricing/*` to a pattern, with an optional trailing slash. */
function toPattern(url: string): RegExp {
  const source = url
    .replace(/\/$/, '')
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:[a-z_]+/g, '[^/]+')
    .replace(/\*$/, '.+');
  return new RegExp(`^${source}/?$`);
}
