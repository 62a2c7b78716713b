import type { Store } from '../store/store.js';
import { CommandError } from './command.js';

/** The id of the workspace that a user of the command line means. */
export async function workspaceIn(store: Store, emailOrSlug: string): Promise<string> {
  const workspaceId = await store.workspaces.findIdByEmailOrSlug(emailOrSlug);
  if (workspaceId === null) throw new CommandError(`No workspace found for "${emailOrSlug}"`);
  return workspaceId;
}
