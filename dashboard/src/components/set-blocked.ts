import { api, type Schemas, unwrap } from '../api/api-client.ts';

export interface BlockIntent {
  readonly userId: string;
  /** The requested state. */
  readonly blocked: boolean;
}

/** The ID is sent in the body, because browsers resolve "." and ".." in a path, even if percent-encoded. */
export function setBlocked({ userId, blocked }: BlockIntent): Promise<Schemas['User']> {
  const body = { user_id: userId };
  return unwrap(blocked ? api.POST('/v1/users/block', { body }) : api.POST('/v1/users/unblock', { body }));
}
