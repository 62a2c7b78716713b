/** The guardrail settings of a workspace. */

import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { MAX_WHOLE_USD } from '../../domain/money.js';
import { MAX_EXEMPT_TOOLS } from '../../domain/run-limits.js';
import { shownWorkspace } from '../../domain/shown.js';
import type { Workspace, WorkspaceSettings } from '../../domain/workspace.js';
import type { WorkspaceStore } from '../../store/store.js';
import { workspaceIdOf } from '../authenticate.js';
import type { OriginReader } from '../origin.js';
import {
  errors,
  LeaseSeconds,
  MAX_INT32,
  Name,
  Nullable,
  RunLimitFields,
  ShownRunLimits,
  toAmount,
  toRunLimits,
  Usd,
  Uuid,
} from '../schemas.js';
import type { HttpServer } from '../server-types.js';

export const WorkspaceBody = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    slug: Type.String({ description: 'URL-safe identifier' }),
    kill_switch: Type.Boolean(),
    daily_budget_usd: Nullable(Usd('Workspace spend per UTC day'), 'Per UTC day; null: unlimited'),
    user_daily_budget_usd: Nullable(
      Usd('Spend per user and UTC day'),
      'Per UTC day, the same for every user; null: unlimited',
    ),
    max_concurrent_runs: Type.Integer(),
    run_lease_seconds: Nullable(Type.Integer(), 'A run without any request for so long ends; null: never'),
    run_limits: Type.Object(
      { ...ShownRunLimits.properties, repeat_exempt_tools: Type.Array(Type.String()) },
      { title: 'WorkspaceRunLimits', description: 'Limits of each run; a run can only tighten them' },
    ),
    require_holds: Type.Boolean({ description: 'Whether a model call without a hold is denied' }),
    deny_unpriced_models: Type.Boolean({
      description: 'Whether a call of a model without an active price is denied',
    }),
  },
  { title: 'Workspace' },
);

const ExemptTools = Type.Array(Name('Tool identifier'), {
  maxItems: MAX_EXEMPT_TOOLS,
  description: 'Tools whose calls are never repeats, because they poll',
});

const Budget = (description: string) =>
  Nullable(Type.Number({ minimum: 0, maximum: MAX_WHOLE_USD }), description);

const PatchWorkspaceBody = Type.Object(
  {
    name: Type.Optional(Nullable(Name('Display name'), 'null: no change')),
    daily_budget_usd: Type.Optional(Budget('null removes the limit')),
    user_daily_budget_usd: Type.Optional(Budget('Pro or higher; null removes the limit')),
    max_concurrent_runs: Type.Optional(
      Nullable(Type.Integer({ minimum: 1, maximum: MAX_INT32 }), 'Pro or higher; null: no change'),
    ),
    run_lease_seconds: Type.Optional(
      Nullable(LeaseSeconds, 'For runs that start from now on; null: runs never expire'),
    ),
    run_limits: Type.Optional(
      Type.Object(
        { ...RunLimitFields, repeat_exempt_tools: Type.Optional(ExemptTools) },
        {
          title: 'PatchRunLimits',
          description: 'For runs that start from now on; only the fields present change',
        },
      ),
    ),
    require_holds: Type.Optional(
      Type.Boolean({ description: 'Deny model calls without an estimate or a price' }),
    ),
    deny_unpriced_models: Type.Optional(
      Type.Boolean({ description: 'Deny calls of models without an active price' }),
    ),
  },
  { title: 'PatchWorkspace' },
);

export function workspaceRoutes(
  server: HttpServer,
  { workspaces, originOf }: { workspaces: WorkspaceStore; originOf: OriginReader },
): void {
  server.get(
    '/v1/workspace/',
    {
      config: { auth: 'any', access: 'read' },
      schema: {
        operationId: 'getWorkspace',
        summary: 'Get the workspace',
        tags: ['Workspace'],
        response: { 200: WorkspaceBody },
      },
    },
    async (request) => {
      const workspace = await workspaces.find(workspaceIdOf(request));
      if (workspace === null) throw new Error('Every principal has a workspace');
      return shownWorkspace(workspace);
    },
  );

  server.patch(
    '/v1/workspace/',
    {
      config: { auth: 'any', access: 'change' },
      schema: {
        operationId: 'updateWorkspace',
        summary: 'Update the workspace',
        description:
          'Changes only the fields that are present. If the plan does not include one of them, no field is changed.',
        tags: ['Workspace'],
        body: PatchWorkspaceBody,
        response: { 200: WorkspaceBody, ...errors(403) },
      },
    },
    async (request) => {
      const { body } = request;
      const settings: WorkspaceSettings = {
        name: body.name ?? undefined,
        dailyBudgetPicoUsd: toAmount(body.daily_budget_usd, 'body/daily_budget_usd'),
        userDailyBudgetPicoUsd: toAmount(body.user_daily_budget_usd, 'body/user_daily_budget_usd'),
        maxConcurrentRuns: body.max_concurrent_runs ?? undefined,
        runLeaseSeconds: body.run_lease_seconds,
        requireHolds: body.require_holds,
        denyUnpricedModels: body.deny_unpriced_models,
        runLimits: toRunLimits(body.run_limits ?? {}, 'body/run_limits'),
        repeatExemptTools: body.run_limits?.repeat_exempt_tools,
      };
      return shownWorkspace(await change(request, settings));
    },
  );

  server.post(
    '/v1/workspace/kill-switch',
    {
      config: { auth: 'any', access: 'change' },
      schema: {
        operationId: 'setKillSwitch',
        summary: 'Turn the kill switch on or off',
        description:
          'While it is on, every run start and step creation is denied. Turning it on requires the plan Scale or higher.',
        tags: ['Workspace'],
        body: Type.Object({ active: Type.Boolean() }, { title: 'SetKillSwitch' }),
        response: { 200: WorkspaceBody, ...errors(403) },
      },
    },
    async (request) => shownWorkspace(await change(request, { killSwitch: request.body.active })),
  );

  function change(request: FastifyRequest, settings: WorkspaceSettings): Promise<Workspace> {
    return workspaces.change(workspaceIdOf(request), { kind: 'settings', settings }, originOf(request));
  }
}
