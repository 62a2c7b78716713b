/** The end users of the agents: their runs, their spend of today, and whether they are blocked. */

import type { FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { picoUsdToNumber } from '../../domain/money.js';
import { toIsoTimestamp } from '../../domain/period.js';
import type { User } from '../../domain/user.js';
import type { UserStore } from '../../store/store.js';
import { workspaceIdOf } from '../authenticate.js';
import type { OriginReader } from '../origin.js';
import { nameFrom } from '../path-parameters.js';
import {
  Count,
  Name,
  Nullable,
  PageOf,
  PageParameters,
  Timestamp,
  Total,
  toPageQuery,
  Usd,
} from '../schemas.js';
import type { HttpServer } from '../server-types.js';

const UserBody = Type.Object(
  {
    user_id: Type.String(),
    blocked: Type.Boolean(),
    run_count: Count('Runs that were allowed to start'),
    spend_today_usd: Usd('Spend reported this UTC day'),
    last_seen_at: Nullable(Timestamp, 'The latest run start; null if there is none'),
    held_usd: Usd('Open holds, which count against the budget of today'),
    unpriced_tokens_today: Total('Tokens reported this UTC day without a price; not part of spend_today_usd'),
  },
  { title: 'User' },
);

export function userRoutes(
  server: HttpServer,
  { users, originOf }: { users: UserStore; originOf: OriginReader },
): void {
  server.get(
    '/v1/users/',
    {
      config: { auth: 'any', access: 'read', showsRuns: true },
      schema: {
        operationId: 'listUsers',
        summary: 'List users, most recently seen first',
        tags: ['Users'],
        querystring: Type.Object({ blocked: Type.Optional(Type.Boolean()), ...PageParameters }),
        response: { 200: PageOf(UserBody) },
      },
    },
    async (request) => {
      const { blocked, page, per_page } = request.query;
      const { items, total } = await users.list({
        workspaceId: workspaceIdOf(request),
        blocked: blocked ?? null,
        ...toPageQuery({ page, per_page }),
      });
      return { items: items.map(toApiUser), total, page, per_page };
    },
  );

  for (const { action, blocked } of [
    { action: 'block', blocked: true },
    { action: 'unblock', blocked: false },
  ]) {
    const summary = blocked ? 'Block a user' : 'Unblock a user';
    const description = blocked
      ? 'Every run start and step of the user is denied. A user without runs can be blocked.'
      : 'Has no effect if the user is not blocked.';
    const setBlocked = async (request: FastifyRequest, userId: string) => {
      const user = { workspaceId: workspaceIdOf(request), userId, blocked };
      return toApiUser(await users.setBlocked(user, originOf(request)));
    };

    server.post(
      `/v1/users/:user_id/${action}`,
      {
        config: { auth: 'any', access: 'change', showsRuns: true },
        schema: {
          operationId: `${action}User`,
          summary,
          description,
          tags: ['Users'],
          params: Type.Object({ user_id: Type.String() }),
          response: { 200: UserBody },
        },
      },
      (request) => setBlocked(request, nameFrom(request.params.user_id, 'user_id')),
    );

    server.post(
      `/v1/users/${action}`,
      {
        config: { auth: 'any', access: 'change', showsRuns: true },
        schema: {
          operationId: `${action}UserByBody`,
          summary: `${summary}, with the name in the body`,
          description: `${description} Use this form for users named \`.\` or \`..\`, which clients remove from a path.`,
          tags: ['Users'],
          body: Type.Object({ user_id: Name('The end user') }, { title: 'UserName' }),
          response: { 200: UserBody },
        },
      },
      (request) => setBlocked(request, request.body.user_id),
    );
  }
}

function toApiUser(user: User): Static<typeof UserBody> {
  return {
    user_id: user.userId,
    blocked: user.blocked,
    run_count: user.runCount,
    spend_today_usd: picoUsdToNumber(user.spendTodayPicoUsd),
    last_seen_at: user.lastSeenAt === null ? null : toIsoTimestamp(user.lastSeenAt),
    held_usd: picoUsdToNumber(user.heldPicoUsd),
    unpriced_tokens_today: user.unpricedTokensToday,
  };
}
