/** Usage reports: spend and tokens by model, by user and by day. */

import Type, { type Static } from 'typebox';
import {
  type CostBreakdown,
  type DailyUsage,
  MAX_MODELS,
  MAX_MODELS_PER_DAY,
  type UsageReport,
  type UsageSummary,
} from '../../control/usage-report.js';
import { MAX_WHOLE_USD, picoUsdToNumber } from '../../domain/money.js';
import { MAX_RUNS_EXAMINED, MAX_STEPS_EXAMINED, type ModelTotal } from '../../store/store.js';
import { workspaceIdOf } from '../authenticate.js';
import { type JsonPieces, jsonArray, jsonObject } from '../json-pieces.js';
import {
  Count,
  DenyReason,
  LeaseSeconds,
  MAX_INT32,
  Nullable,
  ReportDays,
  Total,
  toAmount,
  Usd,
  UtcDay,
} from '../schemas.js';
import type { HttpServer } from '../server-types.js';
import { toApiParts, UsagePartFields } from '../usage-fields.js';

const CostBreakdownBody = Type.Object(
  {
    total_usd: Usd('Spend reported in the period'),
    total_tokens: Total('All tokens, with or without a price'),
    run_count: Count(),
  },
  { title: 'CostBreakdown' },
);

const ModelCost = Type.Object(
  {
    model: Type.String(),
    total_usd: Usd('Spend of the last 30 days'),
    prompt_tokens: Total('Input tokens'),
    completion_tokens: Total('Output tokens'),
    ...UsagePartFields,
  },
  { title: 'ModelCost' },
);

const UserCost = Type.Object(
  { user_id: Type.String(), total_usd: Usd('Spend of the last 30 days'), run_count: Count() },
  { title: 'UserCost' },
);

const OtherModels = Type.Object(
  {
    model_count: Count(),
    total_usd: Usd('Spend of these models'),
    prompt_tokens: Total('Input tokens'),
    completion_tokens: Total('Output tokens'),
    unpriced_tokens: Total('Tokens without a price at the time of the report'),
    ...UsagePartFields,
  },
  {
    title: 'OtherModels',
    description: 'The sum of all models that by_model does not list; absent if it lists every model',
  },
);

const UsageSummaryBody = Type.Object(
  {
    today: CostBreakdownBody,
    last_7_days: CostBreakdownBody,
    last_30_days: CostBreakdownBody,
    by_model: Type.Array(ModelCost, { description: `At most ${MAX_MODELS} models, most expensive first` }),
    by_user: Type.Array(UserCost, { description: 'At most 1,000 users, most expensive first' }),
    monthly_run_count: Count('Runs this calendar month'),
    monthly_run_limit: Nullable(Type.Integer(), 'From the plan; null: unlimited'),
    held_usd: Usd('Open holds, which count against the budgets of today'),
    other_models: Type.Optional(OtherModels),
  },
  { title: 'UsageSummary' },
);

const DailyModelCost = Type.Object(
  {
    model: Type.String(),
    total_usd: Usd('Spend of the day'),
    prompt_tokens: Total('Input tokens'),
    completion_tokens: Total('Output tokens'),
    unpriced_tokens: Total('Tokens without a price at the time of the report; not part of total_usd'),
    ...UsagePartFields,
  },
  { title: 'DailyModelCost' },
);

const DailyUsageBody = Type.Object(
  {
    day: UtcDay,
    total_usd: Usd('Spend of the day'),
    total_tokens: Total('All tokens, with or without a price'),
    unpriced_tokens: Total('Tokens without a price at the time of the report'),
    run_count: Count('Runs that were allowed to start'),
    by_model: Type.Array(DailyModelCost, {
      description: `At most ${MAX_MODELS_PER_DAY} models, most expensive first`,
    }),
    denials: Type.Array(Type.Object({ reason: DenyReason, count: Count() }), {
      description: 'Denied run starts and steps by reason',
    }),
    other_models: Type.Optional(OtherModels),
  },
  { title: 'DailyUsage' },
);

const IF_ASKED = (description: string, parameter: string) =>
  Nullable(Count(), `${description}; null without \`${parameter}\``);

const GuardrailEffectsBody = Type.Object(
  {
    runs: Count(
      `Runs that were allowed to start in these days, of the newest ${MAX_RUNS_EXAMINED.toLocaleString('en-US')} runs of the workspace`,
    ),
    has_more_runs: Type.Boolean({ description: 'Whether older runs of these days were not looked at' }),
    runs_at_max_cost: IF_ASKED('Runs that cost as much: their next step would be denied', 'max_cost_usd'),
    runs_over_max_steps: IF_ASKED('Runs with more allowed steps', 'max_steps'),
    runs_at_max_duration: IF_ASKED('Runs that lasted, or have been running, as long', 'max_duration_seconds'),
    expired_runs: Count('Runs that their lease ended'),
    silent_runs: IF_ASKED(
      'Running runs with a lease and without an accepted write for as long',
      'run_lease_seconds',
    ),
    model_calls: Count(
      `MODEL_CALL steps that were allowed, of the newest runs with ${MAX_STEPS_EXAMINED.toLocaleString('en-US')} steps together at most`,
    ),
    model_calls_without_hold: Count('Those of them without a hold'),
    has_more_steps: Type.Boolean({ description: 'Whether there are more steps than were looked at' }),
  },
  { title: 'GuardrailEffects' },
);

const WholeLimit = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_INT32, description }));

export function usageRoutes(
  server: HttpServer,
  { usageReport, pieces }: { usageReport: UsageReport; pieces: JsonPieces },
): void {
  server.get(
    '/v1/usage/summary',
    {
      config: { auth: 'any', access: 'read', showsRuns: true },
      schema: {
        operationId: 'getUsageSummary',
        summary: 'Get spend and tokens',
        description: 'Days are UTC days, including today. Spend belongs to the day on which it was reported.',
        tags: ['Usage'],
        response: { 200: UsageSummaryBody },
      },
    },
    async (request) => toApiSummary(await usageReport.summary(workspaceIdOf(request))),
  );

  server.get(
    '/v1/usage/daily',
    {
      config: { auth: 'any', access: 'read', showsRuns: true },
      schema: {
        operationId: 'getDailyUsage',
        summary: 'Get spend, tokens and denials per day',
        description: 'Returns UTC days, oldest first, including today and days without usage.',
        tags: ['Usage'],
        querystring: Type.Object({ days: ReportDays }),
        response: { 200: Type.Array(DailyUsageBody) },
      },
    },
    async (request, reply) => {
      const workspaceId = workspaceIdOf(request);
      const read = async () => jsonArray(usageReport.daily(workspaceId, request.query.days), toDayText);
      return pieces.send(reply, workspaceId, read);
    },
  );

  guardrailEffectsRoute(server, usageReport);
}

function guardrailEffectsRoute(server: HttpServer, usageReport: UsageReport): void {
  server.get(
    '/v1/usage/guardrail-effects',
    {
      config: { auth: 'any', access: 'read', showsRuns: true },
      schema: {
        operationId: 'getGuardrailEffects',
        summary: 'Compare limits with recent runs',
        description:
          'Counts the runs of the last days that would have reached a limit, before it is set. Days are UTC days, including today. ' +
          'The parameters are named like the settings of the workspace.',
        tags: ['Usage'],
        querystring: Type.Object({
          days: Type.Integer({ minimum: 1, maximum: 30, default: 7 }),
          max_cost_usd: Type.Optional(Type.Number({ minimum: 0, maximum: MAX_WHOLE_USD })),
          max_steps: WholeLimit('Without denied ones'),
          max_duration_seconds: WholeLimit('Since the start of the run'),
          run_lease_seconds: Type.Optional(LeaseSeconds),
        }),
        response: { 200: GuardrailEffectsBody },
      },
    },
    async (request) => {
      const { days, max_cost_usd, max_steps, max_duration_seconds, run_lease_seconds } = request.query;
      const effects = await usageReport.guardrailEffects({
        workspaceId: workspaceIdOf(request),
        days,
        maxCostPicoUsd: toAmount(max_cost_usd, 'querystring/max_cost_usd') ?? null,
        maxSteps: max_steps ?? null,
        maxDurationSeconds: max_duration_seconds ?? null,
        leaseSeconds: run_lease_seconds ?? null,
      });
      const ifAsked = (parameter: unknown, count: number) => (parameter === undefined ? null : count);
      return {
        runs: effects.runs,
        has_more_runs: effects.hasMoreRuns,
        runs_at_max_cost: ifAsked(max_cost_usd, effects.runsAtMaxCost),
        runs_over_max_steps: ifAsked(max_steps, effects.runsOverMaxSteps),
        runs_at_max_duration: ifAsked(max_duration_seconds, effects.runsAtMaxDuration),
        expired_runs: effects.expiredRuns,
        silent_runs: ifAsked(run_lease_seconds, effects.silentRuns),
        model_calls: effects.modelCalls,
        model_calls_without_hold: effects.modelCallsWithoutHold,
        has_more_steps: effects.hasMoreSteps,
      };
    },
  );
}

function toApiSummary(summary: UsageSummary): Static<typeof UsageSummaryBody> {
  return {
    today: toApiBreakdown(summary.today),
    last_7_days: toApiBreakdown(summary.last7Days),
    last_30_days: toApiBreakdown(summary.last30Days),
    by_model: summary.byModel.map((entry) => ({
      model: entry.model,
      total_usd: picoUsdToNumber(entry.costPicoUsd),
      prompt_tokens: entry.promptTokens,
      completion_tokens: entry.completionTokens,
      ...toApiParts(entry),
    })),
    by_user: summary.byUser.map(({ userId, costPicoUsd, runCount }) => ({
      user_id: userId,
      total_usd: picoUsdToNumber(costPicoUsd),
      run_count: runCount,
    })),
    monthly_run_count: summary.monthlyRunCount,
    monthly_run_limit: summary.monthlyRunLimit,
    held_usd: picoUsdToNumber(summary.heldPicoUsd),
    ...toApiOtherModels(summary.otherModels),
  };
}

/** Serializes a `DailyUsageBody`. */
function toDayText(usage: DailyUsage): string {
  const { total_usd, total_tokens, run_count } = toApiBreakdown(usage);
  return jsonObject({
    day: JSON.stringify(usage.day),
    total_usd: String(total_usd),
    total_tokens: String(total_tokens),
    run_count: String(run_count),
    unpriced_tokens: String(usage.unpricedTokens),
    by_model: `[${usage.models
      .map((entry) =>
        jsonObject({
          model: JSON.stringify(entry.model),
          total_usd: String(picoUsdToNumber(entry.costPicoUsd)),
          prompt_tokens: String(entry.promptTokens),
          completion_tokens: String(entry.completionTokens),
          unpriced_tokens: String(entry.unpricedTokens),
          ...toTexts(toApiParts(entry)),
        }),
      )
      .join(',')}]`,
    denials: JSON.stringify([...usage.denials].map(([reason, count]) => ({ reason, count }))),
    ...toOtherModelsText(usage.otherModels),
  });
}

function toOtherModelsText(others: ModelTotal): { other_models?: string } {
  const { other_models } = toApiOtherModels(others);
  if (other_models === undefined) return {};
  return { other_models: jsonObject(toTexts(other_models)) };
}

function toTexts(values: Readonly<Record<string, number | bigint>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

function toApiOtherModels(others: ModelTotal): { other_models?: Static<typeof OtherModels> } {
  if (others.modelCount === 0) return {};
  return {
    other_models: {
      model_count: others.modelCount,
      total_usd: picoUsdToNumber(others.costPicoUsd),
      prompt_tokens: others.promptTokens,
      completion_tokens: others.completionTokens,
      unpriced_tokens: others.unpricedTokens,
      ...toApiParts(others),
    },
  };
}

function toApiBreakdown({
  costPicoUsd,
  totalTokens,
  runCount,
}: CostBreakdown): Static<typeof CostBreakdownBody> {
  return { total_usd: picoUsdToNumber(costPicoUsd), total_tokens: totalTokens, run_count: runCount };
}
