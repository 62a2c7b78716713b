/** The audit log: who changed what, and when. */

import Type from 'typebox';
import { ACTOR_TYPES, AUDIT_ACTIONS } from '../../domain/audit.js';
import { shownAuditEntry } from '../../domain/shown.js';
import { parseUuid } from '../../domain/uuid.js';
import type { AuditStore } from '../../store/store.js';
import { workspaceIdOf } from '../authenticate.js';
import { momentFrom, PeriodParameters } from '../moment.js';
import { Choice, Nullable, PageOf, PageParameters, Timestamp, toPageQuery, Uuid } from '../schemas.js';
import type { HttpServer } from '../server-types.js';

const Action = Choice(AUDIT_ACTIONS, { title: 'AuditAction' });
const Fields = (description: string) =>
  Nullable(
    Type.Record(Type.String(), Type.Unknown(), { description: 'Fields as the API shows them' }),
    description,
  );

const AuditEntryBody = Type.Object(
  {
    id: Uuid,
    created_at: Timestamp,
    actor: Type.Object({
      type: Choice(ACTOR_TYPES, {
        description: 'operator: the command line of the service; system: the service itself',
      }),
      id: Nullable(Uuid, 'null for the operator and the service'),
      label: Type.String({ description: 'The e-mail of an account or the label of a key, as it was then' }),
    }),
    action: Action,
    target: Nullable(Type.String(), 'The id or name of what was changed; null: the workspace'),
    before: Fields('null if there was nothing before'),
    after: Fields('null if there is nothing to show'),
    request_id: Nullable(Type.String(), 'X-Request-Id of the response'),
    ip_address: Nullable(Type.String(), 'Of the client, or of the proxy before it: see TRUST_PROXY'),
  },
  { title: 'AuditEntry' },
);

/** A total of this number means that there may be more. */
const MAX_COUNTED = 10_000;

export function auditLogRoutes(server: HttpServer, { audit }: { audit: AuditStore }): void {
  server.get(
    '/v1/audit-log/',
    {
      config: { auth: 'any', access: 'audit' },
      schema: {
        operationId: 'listAuditLog',
        summary: 'List changes, newest first',
        description:
          'The total counts up to 10,000 entries, which have pages; find older ones with `to`. Entries are kept for 400 days, ' +
          'unless the operator has set another time.',
        tags: ['Audit log'],
        querystring: Type.Object({
          action: Type.Optional(Action),
          actor_id: Type.Optional(Type.String({ description: 'The id of an account or an API key' })),
          ...PeriodParameters,
          ...PageParameters,
        }),
        response: { 200: PageOf(AuditEntryBody) },
      },
    },
    async (request) => {
      const { action, actor_id, from, to, page, per_page } = request.query;
      const actorId = actor_id === undefined ? null : parseUuid(actor_id);
      if (actor_id !== undefined && actorId === null) return { items: [], total: 0, page, per_page };
      const { items, total } = await audit.list({
        workspaceId: workspaceIdOf(request),
        action: action ?? null,
        actorId,
        from: momentFrom(from, 'from') ?? null,
        to: momentFrom(to, 'to') ?? null,
        countUpTo: MAX_COUNTED,
        ...toPageQuery({ page, per_page }),
      });
      return { items: items.map(shownAuditEntry), total, page, per_page };
    },
  );
}
