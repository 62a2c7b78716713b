/** Server-sent events in the pieces in which they arrive, as the service sends them. Comments are left out. */

export interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

/** More than any event of the service has: what sends as much is something else. */
const MAX_LENGTH = 10_000;

export class EventParser {
  #rest = '';

  /** The events that end with this piece. */
  add(piece: string): ServerEvent[] {
    const blocks = (this.#rest + piece).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    if (this.#rest.length > MAX_LENGTH) throw new Error('The stream has no events');
    return blocks.flatMap(toEvent);
  }
}

function toEvent(block: string): ServerEvent[] {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^([a-z]+): ?(.*)$/.exec(line) ?? [];
    fields.set(name, value);
  }
  const data = fields.get('data');
  return data === undefined ? [] : [{ name: fields.get('event') ?? 'message', data }];
}
