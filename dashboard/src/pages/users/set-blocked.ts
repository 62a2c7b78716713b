import { answerOf, api, type Schemas } from '../../api/api-client.ts';

export interface BlockIntent {
  readonly userId: string;
  /** How the user shall be. */
  readonly blocked: boolean;
}

/** The id goes into the body: browsers resolve "." and ".." in a path, plain or percent-encoded. */
export function setBlocked({ userId, blocked }: BlockIntent): Promise<Schemas['User']> {
  const body = { user_id: userId };
  return answerOf(blocked ? api.POST('/v1/users/block', { body }) : api.POST('/v1/users/unblock', { body }));
}
