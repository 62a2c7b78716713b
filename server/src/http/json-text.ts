/** Client data (metadata, input_data) is kept as text: nothing in here looks into it. */

import type { JsonText } from '../domain/json.js';

export function toJsonText(value: Record<string, unknown> | null | undefined): JsonText | null {
  return value == null ? null : JSON.stringify(value);
}

export function fromJsonText(text: JsonText | null): Record<string, unknown> | null {
  return text === null ? null : (JSON.parse(text) as Record<string, unknown>);
}
