import type { User } from '../../domain/user.js';
import { type Row, readBigint, readBoolean, readNullableNumber, readNumber, readText } from '../row.js';

export function toUser(row: Row): User {
  return {
    userId: readText(row, 'user_id'),
    blocked: readBoolean(row, 'blocked'),
    runCount: readNumber(row, 'run_count'),
    spendTodayPicoUsd: readBigint(row, 'spend_today'),
    lastSeenAt: readNullableNumber(row, 'last_seen_at'),
  };
}
