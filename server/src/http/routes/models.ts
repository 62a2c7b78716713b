/** One model: spend, tokens in parts, failures and durations, day by day. */

import Type, { type Static } from 'typebox';
import type { ModelDetail, ModelReport, ModelStatistics } from '../../control/model-report.js';
import { picoUsdToNumber } from '../../domain/money.js';
import { workspaceIdOf } from '../authenticate.js';
import { nameFrom } from '../path-parameters.js';
import { Count, NameInsteadOfPath, Nullable, ReportDays, Total, Usd, UtcDay } from '../schemas.js';
import type { HttpServer } from '../server-types.js';
import { toApiParts, UsagePartFields } from '../usage-fields.js';

const Duration = (share: string) =>
  Nullable(
    Count(),
    `The duration that ${share} of the completed calls do not exceed, within 12.5 %; null without a duration`,
  );

const StatisticsFields = {
  total_usd: Usd('Spend'),
  prompt_tokens: Total('Input tokens'),
  completion_tokens: Total('Output tokens'),
  unpriced_tokens: Total('Tokens without a price at the time of the report; not part of total_usd'),
  ...UsagePartFields,
  completed_count: Count('Calls that were reported as COMPLETED'),
  failed_count: Count('Calls that were reported as FAILED'),
  error_rate: Nullable(Type.Number(), 'failed_count of both; null without calls'),
  p50_duration_ms: Duration('50 %'),
  p95_duration_ms: Duration('95 %'),
};

const ModelDetailBody = Type.Object(
  {
    model: Type.String(),
    ...StatisticsFields,
    by_day: Type.Array(Type.Object({ day: UtcDay, ...StatisticsFields }, { title: 'ModelDay' }), {
      description: 'Oldest first, including today and days without usage',
    }),
  },
  { title: 'ModelDetail' },
);

export function modelRoutes(server: HttpServer, { modelReport }: { modelReport: ModelReport }): void {
  // A wildcard, because model names may contain slashes: meta-llama/Llama-3.
  server.get(
    '/v1/models/*',
    {
      config: { auth: 'any', access: 'read', showsRuns: true, wildcard: 'model' },
      schema: {
        operationId: 'getModel',
        summary: 'Get spend, tokens, failures and durations of a model',
        description:
          'The model is everything after /v1/models/, plain or percent-encoded; one that was never called has used nothing. Days are ' +
          'UTC days, including today. A call belongs to the day on which it was reported.',
        tags: ['Usage'],
        params: Type.Object({ '*': Type.String({ description: 'Model identifier' }) }),
        querystring: Type.Object({ days: ReportDays, name: NameInsteadOfPath }),
        response: { 200: ModelDetailBody },
      },
    },
    async (request) => {
      const { days, name = request.params['*'] } = request.query;
      const model = nameFrom(name, 'model');
      const workspaceId = workspaceIdOf(request);
      const detail = await modelReport.detail({ workspaceId, model, count: days });
      return toApiModel(model, detail);
    },
  );
}

function toApiModel(model: string, { total, days }: ModelDetail): Static<typeof ModelDetailBody> {
  return {
    model,
    ...toApiStatistics(total),
    by_day: days.map((statistics) => ({ day: statistics.day, ...toApiStatistics(statistics) })),
  };
}

function toApiStatistics(statistics: ModelStatistics) {
  const { completedCalls, failedCalls } = statistics;
  const calls = completedCalls + failedCalls;
  return {
    total_usd: picoUsdToNumber(statistics.costPicoUsd),
    prompt_tokens: statistics.promptTokens,
    completion_tokens: statistics.completionTokens,
    unpriced_tokens: statistics.unpricedTokens,
    ...toApiParts(statistics),
    completed_count: completedCalls,
    failed_count: failedCalls,
    error_rate: calls === 0 ? null : failedCalls / calls,
    p50_duration_ms: statistics.medianMs,
    p95_duration_ms: statistics.p95Ms,
  };
}
