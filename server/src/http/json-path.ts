/** The path of a value in a body, for error messages: `body/metadata/a/0`. */

import { StringCheck } from './json-strings.js';

/** Names are chosen by the client and may be long. */
const MAX_LENGTH = 200;
/** As many characters as fit, each an escape. */
const MAX_NAME_BYTES = 6 * MAX_LENGTH;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

interface Level {
  isList: boolean;
  /** The index of the current item. */
  index: number;
  /** The offsets of the current name, including its quotes. */
  nameStart: number;
  nameEnd: number;
}

/** Returns the path of the value or name at offset `start` of valid JSON. There must be no violation before it. */
export function pathAt(json: Buffer, start: number): string {
  const strings = new StringCheck(json);
  // Levels are reused, because a body may have hundreds of thousands of brackets.
  const levels: Level[] = [];
  let level: Level = { isList: false, index: 0, nameStart: 0, nameEnd: 0 };
  let depth = 0;
  let isName = false;
  let at = 0;
  while (at < start) {
    const byte = json[at];
    if (byte === QUOTE) {
      const end = strings.endOf(at);
      if (isName) {
        level.nameStart = at;
        level.nameEnd = end;
      }
      at = end;
    } else {
      if (byte === OPENING_BRACE || byte === OPENING_BRACKET) {
        level = levels[depth] ??= { isList: false, index: 0, nameStart: 0, nameEnd: 0 };
        level.isList = byte === OPENING_BRACKET;
        level.index = 0;
        depth += 1;
        isName = !level.isList;
      } else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) {
        depth -= 1;
        level = levels[depth - 1] ?? level;
        isName = false;
      } else if (byte === COLON) isName = false;
      else if (byte === COMMA) {
        level.index += 1;
        isName = !level.isList;
      }
      at += 1;
    }
  }
  if (isName) return `a name in ${joinPath(json, levels.slice(0, depth - 1))}`;
  return joinPath(json, levels.slice(0, depth));
}

function joinPath(json: Buffer, levels: readonly Level[]): string {
  const segments = levels.map((level) => (level.isList ? String(level.index) : nameOf(json, level)));
  return ['body', ...segments].join('/').slice(0, MAX_LENGTH);
}

/** A name that is too long for a path is cut as it was sent, so that it is not decoded. */
function nameOf(json: Buffer, { nameStart, nameEnd }: Level): string {
  return nameEnd - nameStart > MAX_NAME_BYTES
    ? json.toString('utf8', nameStart + 1, nameStart + MAX_LENGTH)
    : String(JSON.parse(json.toString('utf8', nameStart, nameEnd)));
}
