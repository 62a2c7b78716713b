/** What was spent, by model and by user. */

import Type, { type Static } from 'typebox';
import type { CostBreakdown, UsageReport, UsageSummary } from '../../control/usage-report.js';
import { picoUsdToNumber } from '../../domain/money.js';
import { workspaceIdOf } from '../authenticate.js';
import { Count, Nullable, Total, Usd } from '../schemas.js';
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

function toApiBreakdown({
  costPicoUsd,
  totalTokens,
  runCount,
}: CostBreakdown): Static<typeof CostBreakdownBody> {
  return { total_usd: picoUsdToNumber(costPicoUsd), total_tokens: totalTokens, run_count: runCount };
}
