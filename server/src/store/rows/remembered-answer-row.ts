import type { RememberedAnswer } from '../../domain/idempotency.js';
import { type Row, readNumber, readText } from '../row.js';

export function toRememberedAnswer(row: Row): RememberedAnswer {
  return {
    keyHash: readText(row, 'key_hash'),
    requestHash: readText(row, 'request_hash'),
    answer: readText(row, 'answer'),
    createdAt: readNumber(row, 'created_at'),
  };
}
