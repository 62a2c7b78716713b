/** Create, list and revoke API keys. The key itself is returned only when it is created. */

import Type, { type Static } from 'typebox';
import type { ApiKeys, CreatedApiKey } from '../../control/api-keys.js';
import { shownApiKey } from '../../domain/shown.js';
import { workspaceIdOf } from '../authenticate.js';
import { IdempotencyHeaders, idempotencyKeyOf, idempotencyOf } from '../idempotency-key.js';
import type { OriginReader } from '../origin.js';
import { apiKeyIdFrom } from '../path-parameters.js';
import { errors, KeyScope, Name, Nullable, Timestamp, Uuid } from '../schemas.js';
import type { HttpServer } from '../server-types.js';

const ApiKeyFields = {
  id: Uuid,
  prefix: Type.String({ description: 'The public part of the key: lg_<prefix>_<secret>' }),
  label: Nullable(Type.String()),
  is_active: Type.Boolean(),
  created_at: Timestamp,
  last_used_at: Nullable(Timestamp, 'Exact to the minute; null if never used'),
  scope: KeyScope,
  user_id: Nullable(Type.String(), 'The end user whose runs the key is limited to; null: all'),
  created_by: Nullable(
    Type.String(),
    'The e-mail of a member, or "key" and the label of a key; null if unknown',
  ),
};

const ApiKeyBody = Type.Object(ApiKeyFields, { title: 'ApiKey' });

const NewApiKeyBody = Type.Object(
  { ...ApiKeyFields, key: Type.String({ description: 'Shown only once' }) },
  { title: 'NewApiKey' },
);

const CreateApiKeyBody = Type.Object(
  {
    label: Type.Optional(Nullable(Name('Helps to tell keys apart'))),
    scope: Type.Optional(KeyScope),
    user_id: Type.Optional(Nullable(Name('Pins a key with the scope agent to an end user'))),
  },
  { title: 'CreateApiKey' },
);

export function apiKeyRoutes(
  server: HttpServer,
  { apiKeys, originOf }: { apiKeys: ApiKeys; originOf: OriginReader },
): void {
  server.get(
    '/v1/api-keys/',
    {
      config: { auth: 'any', access: 'read' },
      schema: {
        operationId: 'listApiKeys',
        summary: 'List API keys, newest first',
        tags: ['API keys'],
        response: { 200: Type.Array(ApiKeyBody) },
      },
    },
    async (request) => (await apiKeys.list(workspaceIdOf(request))).map(shownApiKey),
  );

  server.post(
    '/v1/api-keys/',
    {
      config: { auth: 'any', access: 'change' },
      schema: {
        operationId: 'createApiKey',
        summary: 'Create an API key',
        tags: ['API keys'],
        headers: IdempotencyHeaders,
        body: CreateApiKeyBody,
        response: { 201: NewApiKeyBody },
      },
      // All fields are optional, and so is the body.
      preValidation: async (request) => {
        request.body ??= {};
      },
    },
    async (request, reply) => {
      const idempotencyKey = idempotencyKeyOf(request);
      const idempotent = idempotencyOf(request);
      const created = await apiKeys.create(
        {
          workspaceId: workspaceIdOf(request),
          label: request.body.label ?? null,
          scope: request.body.scope ?? 'admin',
          userId: request.body.user_id ?? null,
          retry: idempotent && idempotencyKey ? { request: idempotent, idempotencyKey } : undefined,
        },
        originOf(request),
      );
      return reply.code(201).send(toApiNewApiKey(created));
    },
  );

  server.delete(
    '/v1/api-keys/:id',
    {
      config: { auth: 'any', access: 'change' },
      schema: {
        operationId: 'revokeApiKey',
        summary: 'Revoke an API key',
        description: 'The key stops working at once. Revoking it again has no effect.',
        tags: ['API keys'],
        params: Type.Object({ id: Type.String() }),
        response: { 204: Type.Null({ description: 'Revoked' }), ...errors(404) },
      },
    },
    async (request, reply) => {
      await apiKeys.revoke(
        {
          workspaceId: workspaceIdOf(request),
          apiKeyId: apiKeyIdFrom(request.params.id),
        },
        originOf(request),
      );
      return reply.code(204).send(null);
    },
  );

  server.post(
    '/v1/api-keys/regenerate',
    {
      config: { auth: 'any', access: 'change' },
      schema: {
        operationId: 'regenerateApiKeys',
        summary: 'Replace all API keys with a new one',
        description: 'Creates one API key and revokes all others of the workspace at once.',
        tags: ['API keys'],
        response: { 200: NewApiKeyBody },
      },
    },
    async (request) => toApiNewApiKey(await apiKeys.regenerate(workspaceIdOf(request), originOf(request))),
  );
}

function toApiNewApiKey({ apiKey, key }: CreatedApiKey): Static<typeof NewApiKeyBody> {
  return { ...shownApiKey(apiKey), key };
}
