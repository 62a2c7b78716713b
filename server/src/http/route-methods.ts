/** Which methods a path has, for the answer to a wrong one. */
export class RouteMethods {
  readonly #routes = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();

  add(url: string, methods: readonly string[]): void {
    const route = this.#routes.get(url) ?? { pattern: toPattern(url), methods: new Set<string>() };
    for (const method of methods) route.methods.add(method);
    this.#routes.set(url, route);
  }

  methodsOf(requestUrl: string): string[] {
    // A proxy may send the whole address.
    const path = requestUrl.replace(/^https?:\/\/[^/?]*/i, '').replace(/\?.*$/s, '');
    const methods = new Set<string>();
    for (const route of this.#routes.values()) {
      if (route.pattern.test(path)) for (const method of route.methods) methods.add(method);
    }
    return [...methods].sort();
  }
}

/** `/v1/runs/:run_id/` and `/v1/model-pricing/*`, with or without the last slash. */
function toPattern(url: string): RegExp {
  const source = url
    .replace(/\/$/, '')
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:[a-z_]+/g, '[^/]+')
    .replace(/\*$/, '.+');
  return new RegExp(`^${source}/?$`);
}
