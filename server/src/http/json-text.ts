/** Client data (metadata, input_data) is stored as JSON text and never interpreted. */

import type { JsonText } from '../domain/json.js';
import { JsonValue } from './large-body.js';

export function toJsonText(value: Record<string, unknown> | null | undefined): JsonText | null {
  if (value instanceof JsonValue) return value.text;
  return value == null ? null : JSON.stringify(value);
}
