import { answerOf, api, type Schemas } from '../../api/api-client.ts';

export interface BlockIntent {
  readonly userId: string;
  /** How the user shall be. */
  readonly blocked: boolean;
}

export function setBlocked({ userId, blocked }: BlockIntent): Promise<Schemas['User']> {
  const params = { path: { user_id: userId } };
  return answerOf(
    blocked
      ? api.POST('/v1/users/{user_id}/block', { params })
      : api.POST('/v1/users/{user_id}/unblock', { params }),
  );
}
