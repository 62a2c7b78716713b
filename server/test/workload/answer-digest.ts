/**
 * A digest of a sequence of answers. Ids and secrets are replaced by the order of their first occurrence, so two runs with
 * the same seed have the same digest on every store.
 */

import { createHash } from 'node:crypto';

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const IDS_IN_PATHS = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const SECRETS = new Set(['access_token', 'api_key', 'key', 'prefix']);
/** Exact only to the minute: it may differ between runs. */
const VAGUE = 'last_used_at';
const ID_TAIL = /-[0-9a-f]{8}$/;
const KEY_WITHOUT_LABEL = /^key lg_\w{8}_…$/;

export class AnswerDigest {
  /** Every answer as a line of text, if they are kept: shows the first difference between two runs. */
  readonly lines: string[] = [];
  readonly #hash = createHash('sha256');
  readonly #ids = new Map<string, string>();
  readonly #keepsLines: boolean;

  constructor({ keepsLines }: { keepsLines: boolean }) {
    this.#keepsLines = keepsLines;
  }

  add(request: { method: string; path: string }, answer: { status: number; body: unknown }): void {
    const path = request.path.replace(IDS_IN_PATHS, (id) => this.#nameOf(id));
    const body = JSON.stringify(answer.body, (name, value) => this.#normalised(name, value));
    const line = `${request.method} ${path} → ${answer.status} ${body}`;
    this.#hash.update(`${line}\n`);
    if (this.#keepsLines) this.lines.push(line);
  }

  get value(): string {
    return this.#hash.copy().digest('hex').slice(0, 16);
  }

  #normalised(name: string, value: unknown): unknown {
    if (name === VAGUE) return undefined;
    if (typeof value !== 'string') return value;
    if (SECRETS.has(name)) return name;
    if (name === 'slug') return value.replace(ID_TAIL, '');
    if (name === 'created_by') return value.replace(KEY_WITHOUT_LABEL, 'prefix');
    return ID.test(value) ? this.#nameOf(value) : value;
  }

  #nameOf(id: string): string {
    const known = this.#ids.get(id) ?? `id-${this.#ids.size + 1}`;
    this.#ids.set(id, known);
    return known;
  }
}
