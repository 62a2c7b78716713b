/** Where in a body something is, for a message: `body/metadata/a/0`. */

import { endOfText } from './json-texts.js';

/** Names are the client's, and may be long. */
const MAX_LENGTH = 200;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

interface Level {
  isList: boolean;
  /** Of the latest item. */
  index: number;
  /** The bytes of the latest name, with its quotes. */
  nameStart: number;
  nameEnd: number;
}

/** The place of the value, or of the name, that begins with this byte of valid JSON; nothing before it has a flaw. */
export function placeOf(json: Buffer, start: number): string {
  // One level for each depth, used again and again: a body may have hundreds of thousands of brackets.
  const levels: Level[] = [];
  let level: Level = { isList: false, index: 0, nameStart: 0, nameEnd: 0 };
  let depth = 0;
  let isName = false;
  let at = 0;
  while (at < start) {
    const byte = json[at];
    if (byte === QUOTE) {
      const end = endOfText(json, at);
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
  if (isName) return `a name in ${pathOf(json, levels.slice(0, depth - 1))}`;
  return pathOf(json, levels.slice(0, depth));
}

function pathOf(json: Buffer, levels: readonly Level[]): string {
  const steps = levels.map(({ isList, index, nameStart, nameEnd }) =>
    isList ? String(index) : String(JSON.parse(json.toString('utf8', nameStart, nameEnd))),
  );
  return ['body', ...steps].join('/').slice(0, MAX_LENGTH);
}
