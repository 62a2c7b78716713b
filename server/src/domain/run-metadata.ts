/** The part of a run's metadata by which runs can be found: short values at the top. */

import type { JsonText } from './run.js';

export interface MetadataEntry {
  readonly name: string;
  readonly value: string;
}

/** Larger metadata is kept, but its runs are not found by it: reading it would take the time of other clients. */
const MAX_SEARCHED_LENGTH = 4_096;
const MAX_ENTRIES = 16;
const MAX_NAME_LENGTH = 64;
const MAX_VALUE_LENGTH = 256;
/** Of `name=value`. */
export const MAX_METADATA_FILTER_LENGTH = MAX_NAME_LENGTH + 1 + MAX_VALUE_LENGTH;

/** Texts, numbers and booleans, the first 16 of them. */
export function searchableMetadata(metadata: JsonText | null): readonly MetadataEntry[] {
  if (metadata === null || metadata.length > MAX_SEARCHED_LENGTH || !metadata.startsWith('{')) return [];
  const entries: MetadataEntry[] = [];
  for (const [name, value] of Object.entries(JSON.parse(metadata))) {
    if (!isSearchable(value)) continue;
    const entry = { name, value: String(value) };
    if (!isShort(entry)) continue;
    entries.push(entry);
    if (entries.length === MAX_ENTRIES) break;
  }
  return entries;
}

/** From `name=value`; a name has no `=`. Null if it is not of this form. */
export function parseMetadataFilter(text: string): MetadataEntry | null {
  const at = text.indexOf('=');
  return at <= 0 ? null : { name: text.slice(0, at), value: text.slice(at + 1) };
}

function isSearchable(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function isShort({ name, value }: MetadataEntry): boolean {
  return name.length <= MAX_NAME_LENGTH && value.length <= MAX_VALUE_LENGTH;
}
