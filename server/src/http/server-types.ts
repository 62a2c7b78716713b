import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteOptions,
} from 'fastify';
import type { Access, KeyScope, Role } from '../domain/access.js';
import type { Account } from '../domain/account.js';

export type HttpServer = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression<RawServerDefault>,
  RawReplyDefaultExpression<RawServerDefault>,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** The authenticated caller: a machine with an API key, or a person with a dashboard token. */
export type Principal = Machine | Person;

export interface Machine {
  readonly kind: 'machine';
  readonly workspaceId: string;
  readonly apiKeyId: string;
  readonly scope: KeyScope;
  /** Tells keys apart in the audit log. */
  readonly label: string;
  /** The end user whose runs the key is limited to; null: all. */
  readonly userId: string | null;
  /** The key is from the cache and may have been revoked since. */
  readonly isFromCache: boolean;
}

export interface Person {
  readonly kind: 'person';
  readonly role: Role;
  readonly workspaceId: string;
  readonly account: Account;
}

/** The authentication that a route requires. Use `api-key` only for commands to the engine, which checks the key again. */
export type Auth = 'none' | 'api-key' | 'account' | 'any';

declare module 'fastify' {
  interface FastifyContextConfig {
    auth?: Auth;
    /** What the route does; required unless `auth` is `none`. */
    access?: Access;
    /** Whether the response depends on which runs are active, or on what they hold. */
    showsRuns?: boolean;
    /** The response does not end by itself: it is neither tagged nor compressed. */
    isStream?: boolean;
    /** The name of the wildcard at the end of the path in the OpenAPI document. */
    wildcard?: string;
  }
  interface FastifyRequest {
    /** Set for every route that requires authentication. Read it with the functions of authenticate.ts. */
    principal: Principal | null;
  }
}

type Route = Pick<RouteOptions, 'method' | 'url' | 'config'>;

/** Returns the `auth` setting of a route. A route without one is a bug and fails at startup. */
export function authOf({ method, url, config }: Route): Auth {
  if (config?.auth === undefined) throw new Error(`${method} ${url} must have an auth setting`);
  return config.auth;
}

/** Returns what a route with authentication does. A route that does not say it is a bug and fails at startup. */
export function accessOf({ method, url, config }: Route): Access {
  if (config?.access === undefined) throw new Error(`${method} ${url} must have an access setting`);
  return config.access;
}

/** Whether a route reads data of a workspace, as of a moment. Only responses to other methods contain secrets. */
export function isTenantRead(route: Route): boolean {
  if (route.config?.isStream === true) return false;
  return route.method === 'GET' && route.url.startsWith('/v1/') && authOf(route) !== 'none';
}
