/** The end users of the agents: their runs, their spend, and whether they are blocked. */

import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { MAX_RANKED_USERS, type UserReport } from '../../control/user-report.js';
import { MAX_NAME_LENGTH } from '../../domain/name.js';
import { MAX_NOTE_LENGTH } from '../../domain/user.js';
import { MAX_USERS_EXAMINED, type UserStore } from '../../store/store.js';
import { workspaceIdOf } from '../authenticate.js';
import { requireStorableText } from '../json-body.js';
import type { OriginReader } from '../origin.js';
import { nameFrom } from '../path-parameters.js';
import { Choice, Name, Nullable, PageOf, PageParameters, toPageQuery } from '../schemas.js';
import type { HttpServer } from '../server-types.js';
import { toApiUser, UserFields } from '../user-fields.js';

const UserBody = Type.Object(UserFields, { title: 'User' });

const Note = Type.Optional(
  Nullable(
    Type.String({ minLength: 1, maxLength: MAX_NOTE_LENGTH }),
    'Why the user is blocked; null: no note; absent: a user who is blocked keeps the note',
  ),
);

const SORTED =
  `Without parameters, most recently seen first. \`search\` finds users whose id begins with it, in the order of their ids, the first ` +
  `${MAX_USERS_EXAMINED.toLocaleString('en-US')}. \`sort=spend\` lists users with runs or usage in the last 30 UTC days, most expensive ` +
  `first, the first ${MAX_RANKED_USERS.toLocaleString('en-US')}; \`search\` and \`blocked\` then select among these.`;

export function userRoutes(
  server: HttpServer,
  { users, userReport, originOf }: { users: UserStore; userReport: UserReport; originOf: OriginReader },
): void {
  server.get(
    '/v1/users/',
    {
      config: { auth: 'any', access: 'read', showsRuns: true },
      schema: {
        operationId: 'listUsers',
        summary: 'List users',
        description: SORTED,
        tags: ['Users'],
        querystring: Type.Object({
          blocked: Type.Optional(Type.Boolean()),
          search: Type.Optional(
            Type.String({ maxLength: MAX_NAME_LENGTH, description: 'The beginning of the user_id' }),
          ),
          sort: Type.Optional(Choice(['spend'])),
          ...PageParameters,
        }),
        response: { 200: PageOf(UserBody) },
      },
    },
    async (request) => {
      const { blocked, search = '', sort, page, per_page } = request.query;
      requireStorableText(search, 'querystring/search');
      const query = {
        workspaceId: workspaceIdOf(request),
        blocked: blocked ?? null,
        prefix: search === '' ? undefined : search,
        ...toPageQuery({ page, per_page }),
      };
      const { items, total } =
        sort === 'spend' ? await userReport.listBySpend(query) : await users.list(query);
      return { items: items.map(toApiUser), total, page, per_page };
    },
  );

  blockRoutes(server, { users, originOf });
}

function blockRoutes(
  server: HttpServer,
  { users, originOf }: { users: UserStore; originOf: OriginReader },
): void {
  const setBlocked = async (
    request: FastifyRequest,
    change: { userId: string; blocked: boolean; note?: string | null | undefined },
  ) =>
    toApiUser(await users.setBlocked({ workspaceId: workspaceIdOf(request), ...change }, originOf(request)));

  const blocking = {
    summary: 'Block a user',
    description: 'Every run start and step of the user is denied. A user without runs can be blocked.',
    tags: ['Users'],
    response: { 200: UserBody },
  };
  const unblocking = {
    summary: 'Unblock a user',
    description: 'Has no effect if the user is not blocked.',
    tags: ['Users'],
    response: { 200: UserBody },
  };
  const config = { auth: 'any', access: 'change', showsRuns: true } as const;
  const params = Type.Object({ user_id: Type.String() });

  server.post(
    '/v1/users/:user_id/block',
    {
      config,
      schema: {
        operationId: 'blockUser',
        ...blocking,
        params,
        body: Type.Object({ note: Note }, { title: 'BlockUser' }),
      },
      // All fields are optional, and so is the body.
      preValidation: async (request) => {
        request.body ??= {};
      },
    },
    (request) =>
      setBlocked(request, {
        userId: nameFrom(request.params.user_id, 'user_id'),
        blocked: true,
        note: request.body.note,
      }),
  );

  server.post(
    '/v1/users/:user_id/unblock',
    { config, schema: { operationId: 'unblockUser', ...unblocking, params } },
    (request) => setBlocked(request, { userId: nameFrom(request.params.user_id, 'user_id'), blocked: false }),
  );

  server.post(
    '/v1/users/block',
    {
      config,
      schema: {
        operationId: 'blockUserByBody',
        ...withNameInBody(blocking),
        body: Type.Object({ user_id: Name('The end user'), note: Note }, { title: 'BlockUserByName' }),
      },
    },
    (request) =>
      setBlocked(request, { userId: request.body.user_id, blocked: true, note: request.body.note }),
  );

  server.post(
    '/v1/users/unblock',
    {
      config,
      schema: {
        operationId: 'unblockUserByBody',
        ...withNameInBody(unblocking),
        body: Type.Object({ user_id: Name('The end user') }, { title: 'UserName' }),
      },
    },
    (request) => setBlocked(request, { userId: request.body.user_id, blocked: false }),
  );
}

function withNameInBody<Schema extends { summary: string; description: string }>(schema: Schema): Schema {
  return {
    ...schema,
    summary: `${schema.summary}, with the name in the body`,
    description: `${schema.description} Use this form for users named \`.\` or \`..\`, which clients remove from a path.`,
  };
}
