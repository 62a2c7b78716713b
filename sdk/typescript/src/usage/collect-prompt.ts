/** Collects the text of a prompt and counts its other parts, for the adapters of each kind of request. */

import type { ModelRequest } from './estimate-tokens.js';
import { fieldOf } from './token-usage.js';

export type PartKind = 'images' | 'audio' | 'files';

/** The parts that are not text, by their `type`. A function returns null for a part that is text after all. */
export type PartTypes = Readonly<Record<string, PartKind | ((part: object) => PartKind | null)>>;

export type CollectedPrompt = Required<Pick<ModelRequest, 'texts' | PartKind>>;

/** Data of an agent within the content, by the `type` of its parent: whatever it looks like, it has no parts. */
const DATA_FIELDS: Readonly<Record<string, string>> = {
  tool_use: 'input',
  server_tool_use: 'input',
  mcp_tool_use: 'input',
  'tool-call': 'input',
  json: 'value',
  'error-json': 'value',
};

/**
 * The names of fields count as text, because a provider adds tokens to each message for its role and structure. `data`
 * are definitions of tools and similar values: they are sent as JSON.
 */
export function collectPrompt(given: {
  content: readonly unknown[];
  data: readonly unknown[];
  partTypes: PartTypes;
}): CollectedPrompt {
  const texts: string[] = [];
  const counts = { images: 0, audio: 0, files: 0 };
  // A cycle, which cannot be sent anyway, must not be followed forever.
  const ancestors = new Set<object>();
  visit(given.content);
  for (const value of given.data) addJson(value);
  return { texts, ...counts };

  function visit(value: unknown): void {
    if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'number' || typeof value === 'boolean') texts.push(String(value));
    else if (typeof value === 'object' && value !== null) visitObject(value);
  }

  function visitObject(value: object): void {
    const kind = ArrayBuffer.isView(value) ? 'files' : kindOf(value, given.partTypes);
    if (kind !== null) {
      counts[kind] += 1;
      return;
    }
    if (ancestors.has(value)) return;
    ancestors.add(value);
    if (Array.isArray(value)) value.forEach(visit);
    else visitFields(value);
    ancestors.delete(value);
  }

  function visitFields(value: object): void {
    const dataField = ownOf(DATA_FIELDS, fieldOf(value, 'type'));
    for (const [name, field] of Object.entries(value)) {
      if (field === undefined) continue;
      texts.push(name);
      if (name === dataField) addJson(field);
      else visit(field);
    }
  }

  function addJson(value: unknown): void {
    const json = typeof value === 'string' ? value : JSON.stringify(value);
    if (json !== undefined) texts.push(json);
  }
}

/** For parts that have a media type, such as `image/png`. */
export function kindOfMediaType(part: object): PartKind {
  const mediaType = fieldOf(part, 'mediaType') ?? fieldOf(part, 'mimeType') ?? fieldOf(part, 'mime_type');
  if (typeof mediaType !== 'string') return 'files';
  if (mediaType.startsWith('image/')) return 'images';
  return mediaType.startsWith('audio/') ? 'audio' : 'files';
}

function kindOf(value: object, partTypes: PartTypes): PartKind | null {
  const kind = ownOf(partTypes, fieldOf(value, 'type'));
  return typeof kind === 'function' ? kind(value) : (kind ?? null);
}

function ownOf<Value>(table: Readonly<Record<string, Value>>, name: unknown): Value | undefined {
  return typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined;
}
