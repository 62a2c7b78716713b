import { api, type Schemas, unwrap } from '../api/api-client.ts';

export interface BlockIntent {
  readonly userId: string;
  /** The requested state. */
  readonly blocked: boolean;
}

/** Characters. */
export const MAX_NOTE_LENGTH = 500;

/** The ID is sent in the body, because browsers resolve "." and ".." in a path, even if percent-encoded. */
export function setBlocked({
  userId,
  blocked,
  note,
}: BlockIntent & { readonly note: string }): Promise<Schemas['User']> {
  const body = { user_id: userId };
  if (!blocked) return unwrap(api.POST('/v1/users/unblock', { body }));
  return unwrap(api.POST('/v1/users/block', { body: { ...body, note: note.trim() || null } }));
}
