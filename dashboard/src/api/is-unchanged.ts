import type { FetchQueryOptions, QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Refetches a query and returns whether the selected part still equals what the page shows. Called before a write whose
 * effect depends on state that someone else may have changed. The refetch also updates the page.
 */
export async function isUnchanged<Data, Key extends QueryKey>(
  queryClient: QueryClient,
  query: FetchQueryOptions<Data, Error, Data, Key>,
  select: (data: Data) => unknown,
): Promise<boolean> {
  const shown = queryClient.getQueryData<Data>(query.queryKey);
  const current = await queryClient.fetchQuery({ ...query, staleTime: 0, retry: false });
  return shown !== undefined && JSON.stringify(select(shown)) === JSON.stringify(select(current));
}
