import type { QueryClient } from '@tanstack/react-query';
import { api, type Schemas, unwrap } from './api-client.ts';
import { workspaceQuery } from './queries.ts';

/** Changes settings of the workspace. All pages show the result at once. */
export async function patchWorkspace(
  queryClient: QueryClient,
  patch: Schemas['PatchWorkspace'],
): Promise<Schemas['Workspace']> {
  const changed = await unwrap(api.PATCH('/v1/workspace/', { body: patch }));
  queryClient.setQueryData(workspaceQuery.queryKey, changed);
  return changed;
}
