/**
 * A list of tool names as a line of text, for example: search, "look up, then wait". A name that would be read otherwise is in
 * quotes, as a JSON string, so that every list is read as it was written.
 */

import { formatQuantity } from './count.ts';

const NAME = /\s*(?:("(?:[^"\\]|\\.)*")\s*|([^,]*))(?:,|$)/y;
const NEEDS_QUOTES = /^[\s"]|\s$|[,\n\r]/;
const MAX_NAMES = 100;
const MAX_NAME_LENGTH = 255;

export type TypedNames =
  | { readonly value: readonly string[]; readonly problem: null }
  | { readonly value: null; readonly problem: string };

export function toNamesText(names: readonly string[]): string {
  return names.map((name) => (NEEDS_QUOTES.test(name) ? JSON.stringify(name) : name)).join(', ');
}

/** A name that is typed twice counts once. */
export function parseNames(text: string): TypedNames {
  const names = new Set<string>();
  NAME.lastIndex = 0;
  while (NAME.lastIndex < text.length) {
    const [, quoted, plain = ''] = NAME.exec(text) ?? [];
    const name = quoted === undefined ? plain.trim() : unquote(quoted);
    if (name === null) return invalid('In quotes, write \\" for a quote and \\\\ for a backslash');
    if ([...name].length > MAX_NAME_LENGTH) {
      return invalid(`A name has at most ${MAX_NAME_LENGTH} characters`);
    }
    if (name !== '') names.add(name);
  }
  return names.size > MAX_NAMES
    ? invalid(`Enter at most ${MAX_NAMES} names`)
    : { value: [...names], problem: null };
}

export function describeNames(names: readonly string[]): string {
  return names.length === 0 ? 'no tools' : `${formatQuantity(names.length, 'tool')}: ${toNamesText(names)}`;
}

function unquote(quoted: string): string | null {
  try {
    return JSON.parse(quoted);
  } catch {
    return null;
  }
}

function invalid(problem: string): TypedNames {
  return { value: null, problem };
}
