/** What was spent, by model and by user. */

import Type, { type Static } from 'typebox';
import type { CostBreakdown, DailyUsage, UsageReport, UsageSummary } from '../../control/usage-report.js';
import { DENY_REASONS } from '../../domain/decision.js';
import { picoUsdToNumber } from '../../domain/money.js';
import { workspaceIdOf } from '../authenticate.js';
import { Choice, Count, Nullable, Total, Usd } from '../schemas.js';
import type { HttpServer } from '../server-types.js';

const CostBreakdownBody = Type.Object(
  {
    total_usd: Usd('Spend reported in the period'),
    total_tokens: Total('Priced or not'),
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

const UsageSummaryBody = Type.Object(
  {
    today: CostBreakdownBody,
    last_7_days: CostBreakdownBody,
    last_30_days: CostBreakdownBody,
    by_model: Type.Array(ModelCost),
    by_user: Type.Array(UserCost, { description: 'The 1,000 most expensive users at most' }),
    monthly_run_count: Count('Runs this calendar month'),
    monthly_run_limit: Nullable(Type.Integer(), 'From the plan; null: unlimited'),
  },
  { title: 'UsageSummary' },
);

const DailyModelCost = Type.Object(
  {
    model: Type.String(),
    total_usd: Usd('Spend of the day'),
    prompt_tokens: Total('Input tokens'),
    completion_tokens: Total('Output tokens'),
    unpriced_tokens: Total('Tokens that had no price when they were reported: counted, but not in total_usd'),
  },
  { title: 'DailyModelCost' },
);

const DailyUsageBody = Type.Object(
  {
    day: Type.String({ format: 'date', description: 'UTC day' }),
    total_usd: Usd('Spend of the day'),
    total_tokens: Total('Priced or not'),
    unpriced_tokens: Total('Tokens that had no price when they were reported'),
    run_count: Count('Runs that were allowed to start'),
    by_model: Type.Array(DailyModelCost),
    denials: Type.Array(Type.Object({ reason: Choice(DENY_REASONS), count: Count() }), {
      description: 'Denied run starts and steps by reason',
    }),
  },
  { title: 'DailyUsage' },
);

export function usageRoutes(server: HttpServer, { usageReport }: { usageReport: UsageReport }): void {
  server.get(
    '/v1/usage/summary',
    {
      config: { auth: 'any' },
      schema: {
        operationId: 'getUsageSummary',
        summary: 'Read spend and tokens',
        description: 'Days are UTC days including today. Spend belongs to the day on which it was reported.',
        tags: ['Usage'],
        response: { 200: UsageSummaryBody },
      },
    },
    async (request) => toApiSummary(await usageReport.summary(workspaceIdOf(request))),
  );

  server.get(
    '/v1/usage/daily',
    {
      config: { auth: 'any' },
      schema: {
        operationId: 'getDailyUsage',
        summary: 'Read spend, tokens and denials day by day',
        description: 'UTC days, oldest first, today last; days without usage are there, too.',
        tags: ['Usage'],
        querystring: Type.Object({ days: Type.Integer({ minimum: 1, maximum: 366, default: 30 }) }),
        response: { 200: Type.Array(DailyUsageBody) },
      },
    },
    async (request) => (await usageReport.daily(workspaceIdOf(request), request.query.days)).map(toApiDay),
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
  };
}

function toApiDay(usage: DailyUsage): Static<typeof DailyUsageBody> {
  return {
    day: usage.day,
    ...toApiBreakdown(usage),
    unpriced_tokens: usage.unpricedTokens,
    by_model: usage.models.map((entry) => ({
      model: entry.model,
      total_usd: picoUsdToNumber(entry.costPicoUsd),
      prompt_tokens: entry.promptTokens,
      completion_tokens: entry.completionTokens,
      unpriced_tokens: entry.unpricedTokens,
    })),
    denials: [...usage.denials].map(([reason, count]) => ({ reason, count })),
  };
}

function toApiBreakdown({
  costPicoUsd,
  totalTokens,
  runCount,
}: CostBreakdown): Static<typeof CostBreakdownBody> {
  return { total_usd: picoUsdToNumber(costPicoUsd), total_tokens: totalTokens, run_count: runCount };
}
