/** What lists and single runs show alike. */

import Type from 'typebox';
import { picoUsdToNumber } from '../domain/money.js';
import { toIsoTimestamp, toNullableTimestamp } from '../domain/period.js';
import { RUN_STATUSES, type RunSummary } from '../domain/run.js';
import { Choice, EndReason, Nullable, Timestamp, Total, Usd, Uuid } from './schemas.js';

export const RunStatus = Choice(RUN_STATUSES, { title: 'RunStatus' });

export const RUN_FIELDS = {
  id: Uuid,
  user_id: Type.String(),
  status: RunStatus,
  started_at: Timestamp,
  ended_at: Nullable(Timestamp),
  total_tokens: Total('Prompt and completion tokens of all steps'),
  total_cost_usd: Usd('Cost of all priced steps'),
  end_reason: Nullable(EndReason, 'Why the service ended the run; null if it did not'),
  lease_expires_at: Nullable(
    Timestamp,
    'When the run ends unless a request renews its lease; null if it has none, or was ended before',
  ),
};

export function toRunFields(run: Omit<RunSummary, 'denyReason'>) {
  return {
    id: run.id,
    user_id: run.userId,
    status: run.status,
    started_at: toIsoTimestamp(run.startedAt),
    ended_at: toNullableTimestamp(run.endedAt),
    total_tokens: run.totalTokens,
    total_cost_usd: picoUsdToNumber(run.totalCostPicoUsd),
    end_reason: run.endReason,
    lease_expires_at: toNullableTimestamp(run.leaseExpiresAt),
  };
}
