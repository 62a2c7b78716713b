import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { Account } from '../domain/account.js';
import type { ApiKey } from '../domain/api-key.js';

export type HttpServer = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression<RawServerDefault>,
  RawReplyDefaultExpression<RawServerDefault>,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** Who is asking: a machine with an API key, or a person signed in to the dashboard. */
export type Principal =
  | { readonly kind: 'api-key'; readonly workspaceId: string; readonly apiKey: ApiKey }
  | { readonly kind: 'account'; readonly workspaceId: string; readonly account: Account };

/** What a route demands of its caller. */
export type Auth = 'none' | 'api-key' | 'account' | 'any';

declare module 'fastify' {
  interface FastifyContextConfig {
    auth?: Auth;
    /** The name that a wildcard at the end of the path has in the documentation. */
    wildcard?: string;
  }
  interface FastifyRequest {
    /** Set for every route that demands a credential. Read it through the functions of authenticate.ts. */
    principal: Principal | null;
  }
}
