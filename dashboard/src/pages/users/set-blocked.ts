import type { Client } from 'openapi-fetch';
import { answerOf, api, type Schemas } from '../../api/api-client.ts';

export interface BlockIntent {
  readonly userId: string;
  /** How the user shall be. */
  readonly blocked: boolean;
}

interface SetBlockedOperation {
  readonly post: {
    readonly requestBody: { readonly content: { readonly 'application/json': { readonly user_id: string } } };
    readonly responses: {
      readonly 200: { readonly content: { readonly 'application/json': Schemas['User'] } };
    };
  };
}

/** By hand until the generated types have these two paths; then `api` itself takes them. */
const blocking = api as unknown as Client<{
  readonly '/v1/users/block': SetBlockedOperation;
  readonly '/v1/users/unblock': SetBlockedOperation;
}>;

/** The id goes into the body: browsers resolve "." and ".." in a path, plain or percent-encoded. */
export function setBlocked({ userId, blocked }: BlockIntent): Promise<Schemas['User']> {
  const body = { user_id: userId };
  return answerOf(
    blocked ? blocking.POST('/v1/users/block', { body }) : blocking.POST('/v1/users/unblock', { body }),
  );
}
