/** The end users of the agents: who they are, what they spend today, and whether they are blocked. */

import Type, { type Static } from 'typebox';
import { picoUsdToNumber } from '../../domain/money.js';
import { toIsoTimestamp } from '../../domain/period.js';
import type { User } from '../../domain/user.js';
import type { UserStore } from '../../store/store.js';
import { workspaceIdOf } from '../authenticate.js';
import { nameFrom } from '../path-parameters.js';
import { Count, Nullable, PageOf, PageParameters, Timestamp, toPageQuery, Usd } from '../schemas.js';
import type { HttpServer } from '../server-types.js';

const UserBody = Type.Object(
  {
    user_id: Type.String(),
    blocked: Type.Boolean(),
    run_count: Count('Runs that were allowed to start'),
    spend_today_usd: Usd('Spend reported this UTC day'),
    last_seen_at: Nullable(Timestamp, 'The newest run start'),
  },
  { title: 'User' },
);

export function userRoutes(server: HttpServer, { users }: { users: UserStore }): void {
  server.get(
    '/v1/users/',
    {
      config: { auth: 'any' },
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
    server.post(
      `/v1/users/:user_id/${action}`,
      {
        config: { auth: 'any' },
        schema: {
          operationId: `${action}User`,
          summary: blocked ? 'Deny every run and step of a user' : 'Let a user run again',
          description: blocked
            ? 'A user who never ran can be blocked, too.'
            : 'Does nothing when the user is not blocked.',
          tags: ['Users'],
          params: Type.Object({ user_id: Type.String() }),
          response: { 200: UserBody },
        },
      },
      async (request) => {
        const userId = nameFrom(request.params.user_id, 'user_id');
        return toApiUser(await users.setBlocked({ workspaceId: workspaceIdOf(request), userId, blocked }));
      },
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
  };
}
