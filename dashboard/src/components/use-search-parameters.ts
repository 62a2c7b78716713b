import { useMemo } from 'react';
import { navigate, useSearch } from 'wouter/use-browser-location';

interface SetOptions {
  readonly replace?: boolean;
  /** Kept with the entry of the history. */
  readonly state?: unknown;
}

export type SetParameters = (parameters: URLSearchParams, options?: SetOptions) => void;

/**
 * The URL search parameters, decoded once. The router's own hook decodes the URL before it parses it, so that a user
 * named %2e%2e would be confused with one named "..".
 */
export function useSearchParameters(): readonly [URLSearchParams, SetParameters] {
  const search = useSearch();
  const parameters = useMemo(() => new URLSearchParams(search), [search]);
  return [parameters, setParameters];
}

const setParameters: SetParameters = (parameters, options) => {
  const search = parameters.toString();
  navigate(window.location.pathname + (search === '' ? '' : `?${search}`), options);
};
