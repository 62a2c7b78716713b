/** Requests made from the OpenAPI document: valid, nearly valid and hostile. */

import type { SeededRandom } from '../../src/cli/seeded-random.js';

export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: string;
  readonly $ref?: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly schema: Schema;
}

export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | null;
  /** Reply schemas by status. */
  readonly replies: Readonly<Record<string, Schema | null>>;
}

export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
}

/** Text that has broken other services. */
export const HOSTILE_TEXTS = [
  '',
  ' ',
  '0',
  'null',
  '../../etc/passwd',
  '..%2f..%2f',
  "'; DROP TABLE runs; --",
  "' OR '1'='1",
  '<script>alert(1)</script>',
  '{{7*7}}#{7*7}',
  '%00',
  '%',
  '%zz',
  '%F0%9F%98%80',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\u202eevil',
  '\ufeff',
  '😀'.repeat(255),
  'x'.repeat(255),
  'x'.repeat(256),
  'x'.repeat(70_000),
  '\r\nSet-Cookie: a=b',
  'constructor',
  '__proto__',
  'toString',
  'NaN',
  '-0',
  '1e400',
  '９',
  'İ',
  'ß',
  '𝒳',
] as const;

const HOSTILE_JSON = [
  'null',
  'true',
  '-0',
  '1e400',
  '-1e400',
  '1e-400',
  '9007199254740993',
  '18446744073709551616',
  '0.1e-20',
  '1.7976931348623157e308',
  '1e22',
  '-1',
  '0.5',
  '[]',
  '{}',
  '[[[]]]',
  '{"__proto__": {"admin": true}}',
  '{"constructor": {"prototype": {"x": 1}}}',
  '{"toJSON": 1, "then": 2}',
  '{"a": 1, "a": 2}',
  '"\\ud800"',
  '"\\u0000"',
  '{"\\u0000": 1}',
  `${'['.repeat(99)}${']'.repeat(99)}`,
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
  `{"deep": ${'{"a":'.repeat(300)}1${'}'.repeat(300)}}`,
  '1'.repeat(400),
] as const;

const BROKEN_JSON = [
  '{',
  '{"a"',
  '[1,]',
  'NaN',
  'Infinity',
  "{'a': 1}",
  '{"a": 01}',
  '\u0001',
  '{"a": "\n"}',
  '{}{}',
  '"',
  '-',
] as const;

const CONTENT_TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=latin1',
  'APPLICATION/JSON',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json, text/plain',
  '',
  ';',
  'application/jsonx',
] as const;

const ODD_HEADERS: readonly Record<string, string>[] = [
  { 'x-request-id': 'a'.repeat(5000) },
  { 'x-request-id': '{"$ne": 1}' },
  { 'x-forwarded-for': '::1, evil' },
  { 'content-encoding': 'gzip' },
  { 'content-encoding': 'identity' },
  { accept: 'text/html' },
  { 'accept-encoding': 'br;q=1.0, *;q=0' },
  { 'x-http-method-override': 'DELETE' },
  { origin: 'https://evil.example' },
  { 'if-none-match': '*' },
  { range: 'bytes=0-1' },
  { 'transfer-encoding': 'identity' },
  { expect: '200-maybe' },
  { cookie: 'a='.repeat(500) },
];

export class RequestGenerator {
  readonly #random: SeededRandom;
  readonly #components: Readonly<Record<string, Schema>>;
  /** Ids and names that exist, so that requests reach further than "not found". */
  readonly known: string[] = [];

  constructor(random: SeededRandom, components: Readonly<Record<string, Schema>>) {
    this.#random = random;
    this.#components = components;
  }

  request(operation: Operation, credentials: readonly (string | null)[]): FuzzRequest {
    const credential = this.#random.pick(credentials);
    const headers: Record<string, string> =
      credential === null ? {} : { authorization: `Bearer ${credential}` };
    const body = operation.body === null && !this.#chance(0.05) ? null : this.#body(operation.body ?? {});
    if (body !== null)
      headers['content-type'] = this.#chance(0.95) ? 'application/json' : this.#random.pick(CONTENT_TYPES);
    if (this.#chance(0.05)) Object.assign(headers, this.#random.pick(ODD_HEADERS));
    return { method: operation.method, path: this.#path(operation), headers, body };
  }

  #path({ path, parameters }: Operation): string {
    let filled = path;
    const query: string[] = [];
    for (const parameter of parameters) {
      if (parameter.in === 'path') filled = filled.replace(`{${parameter.name}}`, this.#pathText());
      else if (this.#chance(0.5)) query.push(`${parameter.name}=${this.#queryText(parameter.schema)}`);
    }
    if (this.#chance(0.1)) filled = filled.endsWith('/') ? filled.slice(0, -1) : `${filled}/`;
    return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
  }

  #pathText(): string {
    if (this.known.length > 0 && this.#chance(0.7)) return encodeURIComponent(this.#random.pick(this.known));
    const text = this.#random.pick(HOSTILE_TEXTS).slice(0, 2_000);
    return text.isWellFormed() ? encodeURIComponent(text) || 'x' : '%ED%A0%80';
  }

  #queryText(schema: Schema): string {
    const value = this.#chance(0.7)
      ? String(this.#valid(schema))
      : this.#random.pick(HOSTILE_TEXTS).slice(0, 2_000);
    return value.isWellFormed() ? encodeURIComponent(value) : '%ED%A0%80';
  }

  #body(schema: Schema): Buffer {
    const roll = this.#random.next();
    if (roll < 0.03) return Buffer.from(this.#random.pick(BROKEN_JSON));
    if (roll < 0.04) return Buffer.from([0x7b, 0xff, 0xfe, 0x7d]);
    if (roll < 0.05) return Buffer.alloc(0);
    if (roll < 0.1) return Buffer.from(this.#random.pick(HOSTILE_JSON));
    return Buffer.from(roll < 0.5 ? JSON.stringify(this.#valid(schema)) : this.#mutated(schema));
  }

  /** A valid object in which one member is replaced by something hostile, as raw text. */
  #mutated(schema: Schema): string {
    const valid = this.#valid(schema);
    if (typeof valid !== 'object' || valid === null) return JSON.stringify(valid);
    const names = Object.keys(this.#resolve(schema).properties ?? {});
    const victim = names.length === 0 ? 'x' : this.#random.pick([...names, 'unknown', '__proto__']);
    const members = Object.entries(valid).filter(([name]) => name !== victim);
    const hostile = this.#chance(0.5)
      ? JSON.stringify(this.#random.pick(HOSTILE_TEXTS))
      : this.#random.pick(HOSTILE_JSON);
    const texts = members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
    return `{${[...texts, `${JSON.stringify(victim)}:${hostile}`].join(',')}}`;
  }

  #valid(given: Schema): unknown {
    const schema = this.#resolve(given);
    if (schema.enum !== undefined) return this.#random.pick(schema.enum);
    const type = typeof schema.type === 'object' ? this.#random.pick(schema.type) : schema.type;
    switch (type) {
      case 'object':
        return this.#object(schema);
      case 'array':
        return [];
      case 'integer':
        return this.#chance(0.1) ? (schema.maximum ?? 7) : (schema.minimum ?? 0) + this.#random.integer(0, 3);
      case 'number':
        return this.#random.pick([0, 0.000_001, 1.5, 1e-12]);
      case 'boolean':
        return this.#chance(0.5);
      case 'null':
        return null;
      default:
        return this.#random.pick(['name', 'fuzz@example.com', 'password-1', 'zoë', "o'brien", '用户']);
    }
  }

  #object(schema: Schema): Record<string, unknown> {
    const members = Object.entries(schema.properties ?? {})
      .filter(([name]) => schema.required?.includes(name) === true || this.#chance(0.5))
      .map(([name, property]) => [name, this.#valid(property)]);
    return Object.fromEntries(members);
  }

  #resolve(schema: Schema): Schema {
    const name = schema.$ref?.split('/').at(-1);
    return name === undefined ? schema : (this.#components[name] ?? {});
  }

  #chance(share: number): boolean {
    return this.#random.next() < share;
  }
}
