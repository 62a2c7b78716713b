/** The fields of a user, in lists and alone. */

import Type from 'typebox';
import { picoUsdToNumber } from '../domain/money.js';
import { toNullableTimestamp } from '../domain/period.js';
import type { User } from '../domain/user.js';
import { Count, Nullable, Timestamp, Total, Usd } from './schemas.js';

export const UserFields = {
  user_id: Type.String(),
  blocked: Type.Boolean(),
  run_count: Count('Runs that were allowed to start'),
  spend_today_usd: Usd('Spend reported this UTC day'),
  last_seen_at: Nullable(Timestamp, 'The latest run start; null if there is none'),
  held_usd: Usd('Open holds, which count against the budget of today'),
  unpriced_tokens_today: Total('Tokens reported this UTC day without a price; not part of spend_today_usd'),
  spend_30d_usd: Usd('Spend of the last 30 UTC days, including today'),
  block_note: Nullable(Type.String(), 'Why the user is blocked; null if not blocked, or not said'),
  blocked_at: Nullable(
    Timestamp,
    'When the block or its note was set last; null if not blocked, or blocked before this was recorded',
  ),
  blocked_by: Nullable(
    Type.String(),
    'Who set it: an e-mail, or the label of an API key; null as blocked_at',
  ),
};

export function toApiUser(user: User) {
  return {
    user_id: user.userId,
    blocked: user.blocked,
    run_count: user.runCount,
    spend_today_usd: picoUsdToNumber(user.spendTodayPicoUsd),
    last_seen_at: toNullableTimestamp(user.lastSeenAt),
    held_usd: picoUsdToNumber(user.heldPicoUsd),
    unpriced_tokens_today: user.unpricedTokensToday,
    spend_30d_usd: picoUsdToNumber(user.recentSpendPicoUsd),
    block_note: user.blockNote,
    blocked_at: toNullableTimestamp(user.blockedAt),
    blocked_by: user.blockedBy,
  };
}
