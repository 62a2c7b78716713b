/** Client data (metadata, input_data) is kept as text: nothing in here looks into it. */

import type { JsonText } from '../domain/json.js';
import { JsonValue } from './large-body.js';

export function toJsonText(value: Record<string, unknown> | null | undefined): JsonText | null {
  if (value instanceof JsonValue) return value.text;
  return value == null ? null : JSON.stringify(value);
}
