import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteOptions,
} from 'fastify';
import type { Account } from '../domain/account.js';

export type HttpServer = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression<RawServerDefault>,
  RawReplyDefaultExpression<RawServerDefault>,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** Who is asking: a machine with an API key, or a person signed in to the dashboard. */
export type Principal = Machine | Person;

export interface Machine {
  readonly kind: 'machine';
  readonly workspaceId: string;
  readonly apiKeyId: string;
  /** The key was looked up earlier, and may have been revoked since. */
  readonly isRecalled: boolean;
}

export interface Person {
  readonly kind: 'person';
  readonly workspaceId: string;
  readonly account: Account;
}

/** What a route demands of its caller. `api-key` is for commands to the engine, which checks the key once more. */
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

type Route = Pick<RouteOptions, 'method' | 'url' | 'config'>;

/** What the route demands. A route that does not say so is a mistake, which stops the server at its start. */
export function authOf({ method, url, config }: Route): Auth {
  if (config?.auth === undefined) throw new Error(`${method} ${url} must have an auth setting`);
  return config.auth;
}

/** Reads of what belongs to a tenant; all secrets are in the answers to other methods. */
export function isTenantRead(route: Route): boolean {
  return route.method === 'GET' && route.url.startsWith('/v1/') && authOf(route) !== 'none';
}
