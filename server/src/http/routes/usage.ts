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
import { picoUsdToNumber } from '../../domain/money.js';
import type { ModelTotal } from '../../store/store.js';
import { workspaceIdOf } from '../authenticate.js';
import { type JsonPieces, jsonArray, jsonObject } from '../json-pieces.js';
import { Count, DenyReason, Nullable, Total, Usd } from '../schemas.js';
import type { HttpServer } from '../server-types.js';

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
  },
  { title: 'DailyModelCost' },
);

const DailyUsageBody = Type.Object(
  {
    day: Type.String({ format: 'date', description: 'UTC day' }),
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

export function usageRoutes(
  server: HttpServer,
  { usageReport, pieces }: { usageReport: UsageReport; pieces: JsonPieces },
): void {
  server.get(
    '/v1/usage/summary',
    {
      config: { auth: 'any', showsRuns: true },
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
      config: { auth: 'any', showsRuns: true },
      schema: {
        operationId: 'getDailyUsage',
        summary: 'Get spend, tokens and denials per day',
        description: 'Returns UTC days, oldest first, including today and days without usage.',
        tags: ['Usage'],
        querystring: Type.Object({ days: Type.Integer({ minimum: 1, maximum: 366, default: 30 }) }),
        response: { 200: Type.Array(DailyUsageBody) },
      },
    },
    async (request, reply) => {
      const workspaceId = workspaceIdOf(request);
      const read = async () => jsonArray(usageReport.daily(workspaceId, request.query.days), toDayText);
      return pieces.send(reply, workspaceId, read);
    },
  );
}

function toApiSummary(summary: UsageSummary): Static<typeof UsageSummaryBody> {
  return {
    today: toApiBreakdown(summary.today),
    last_7_days: toApiBreakdown(summary.last7Days),
    last_30_days: toApiBreakdown(summary.last30Days),
    by_model: summary.byModel.map(({ model, costPicoUsd, promptTokens, completionTokens }) => ({
      model,
      total_usd: picoUsdToNumber(costPicoUsd),
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
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
  const texts = Object.entries(other_models).map(([name, value]) => [name, String(value)]);
  return { other_models: jsonObject(Object.fromEntries(texts)) };
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
