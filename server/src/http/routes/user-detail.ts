/** One user: spend by day, models and denials. */

import Type, { type Static } from 'typebox';
import { MAX_MODELS_OF_USER, type UserDetail, type UserReport } from '../../control/user-report.js';
import { picoUsdToNumber } from '../../domain/money.js';
import { addUsage, NO_USAGE, totalTokens, type Usage } from '../../domain/usage.js';
import type { UserCalls } from '../../store/store.js';
import { workspaceIdOf } from '../authenticate.js';
import { nameFrom } from '../path-parameters.js';
import { Count, DenyReason, NameInsteadOfPath, ReportDays, Total, Usd, UtcDay } from '../schemas.js';
import type { HttpServer } from '../server-types.js';
import { toApiUser, UserFields } from '../user-fields.js';

const CallFields = {
  total_usd: Usd('Spend of these days'),
  prompt_tokens: Total('Input tokens'),
  completion_tokens: Total('Output tokens'),
  unpriced_tokens: Total('Tokens without a price at the time of the report; not part of total_usd'),
  call_count: Count('Steps with tokens or a cost'),
};

const UserDetailBody = Type.Object(
  {
    ...UserFields,
    total_usd: Usd('Spend of these days'),
    total_tokens: Total('All tokens of these days, with or without a price'),
    unpriced_tokens: Total('Tokens without a price at the time of the report; not part of total_usd'),
    by_day: Type.Array(
      Type.Object(
        {
          day: UtcDay,
          total_usd: Usd('Spend of the day'),
          total_tokens: Total('All tokens, with or without a price'),
          unpriced_tokens: Total('Tokens without a price at the time of the report'),
          run_count: Count('Runs that were allowed to start'),
        },
        { title: 'UserDay' },
      ),
      { description: 'Oldest first, including today and days without usage' },
    ),
    by_model: Type.Array(Type.Object({ model: Type.String(), ...CallFields }, { title: 'UserModel' }), {
      description: `At most ${MAX_MODELS_OF_USER} models, most expensive first`,
    }),
    denials: Type.Array(Type.Object({ reason: DenyReason, count: Count() }), {
      description: 'Denied run starts and steps of these days, by reason',
    }),
    other_models: Type.Optional(
      Type.Object(
        { model_count: Count(), ...CallFields },
        {
          title: 'OtherModelsOfUser',
          description: 'The sum of all models that by_model does not list; absent if it lists every model',
        },
      ),
    ),
  },
  { title: 'UserDetail' },
);

export function userDetailRoutes(server: HttpServer, { userReport }: { userReport: UserReport }): void {
  server.get(
    '/v1/users/:user_id',
    {
      config: { auth: 'any', access: 'read', showsRuns: true },
      schema: {
        operationId: 'getUser',
        summary: 'Get a user with spend by day, models and denials',
        description:
          'Days are UTC days, including today. Spend belongs to the day on which it was reported. A user is a name: one that was ' +
          'never seen has used nothing.',
        tags: ['Users'],
        params: Type.Object({ user_id: Type.String() }),
        querystring: Type.Object({ days: ReportDays, name: NameInsteadOfPath }),
        response: { 200: UserDetailBody },
      },
    },
    async (request) => {
      const { days, name = request.params.user_id } = request.query;
      const userId = nameFrom(name, 'user_id');
      const workspaceId = workspaceIdOf(request);
      return toApiDetail(await userReport.detail({ workspaceId, userId, count: days }));
    },
  );
}

function toApiDetail(detail: UserDetail): Static<typeof UserDetailBody> {
  const { user, days, models, otherModels, denials } = detail;
  return {
    ...toApiUser(user),
    ...toApiSpend(days.reduce<Usage>(addUsage, NO_USAGE)),
    by_day: days.map((usage) => ({ day: usage.day, ...toApiSpend(usage), run_count: usage.runCount })),
    by_model: models.map((calls) => ({ model: calls.model, ...toApiCalls(calls) })),
    denials: denials.map(({ reason, count }) => ({ reason, count })),
    ...(otherModels.modelCount === 0
      ? {}
      : { other_models: { model_count: otherModels.modelCount, ...toApiCalls(otherModels) } }),
  };
}

function toApiSpend(usage: Usage) {
  return {
    total_usd: picoUsdToNumber(usage.costPicoUsd),
    total_tokens: totalTokens(usage),
    unpriced_tokens: usage.unpricedTokens,
  };
}

function toApiCalls(calls: UserCalls) {
  return {
    total_usd: picoUsdToNumber(calls.costPicoUsd),
    prompt_tokens: calls.promptTokens,
    completion_tokens: calls.completionTokens,
    unpriced_tokens: calls.unpricedTokens,
    call_count: calls.callCount,
  };
}
