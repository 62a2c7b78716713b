/** Generates requests from the OpenAPI document: valid, nearly valid and hostile. */

import type { SeededRandom } from '../../src/cli/seeded-random.js';
import type { FuzzTenant } from './fuzz-tenant.js';
import {
  BROKEN_BYTES,
  BROKEN_JSON,
  CONTENT_ENCODINGS,
  CONTENT_TYPES,
  HOSTILE_JSON,
  HOSTILE_TEXTS,
  HUGE_JSON,
  IDEMPOTENCY_KEYS,
  ODD_HEADERS,
  STORABLE_TEXTS,
} from './hostile-values.js';
import type { Operation, Parameter, Schema } from './operations.js';
import { WIRE_TRICKS, type WireTrick } from './wire-tricks.js';

export interface FuzzRequest {
  readonly operation: Operation;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  /** How the bytes are modified; null: an ordinary client sends them. */
  readonly trick: WireTrick | null;
  /** The tenant's own credential, of the kind that the operation needs. */
  readonly isAuthentic: boolean;
}

const VALID_SHARE = 0.5;
const TRICK_SHARE = 0.06;
/** Keys of any scope. */
const OTHER_KEY_SHARE = 0.1;
/** The share of huge bodies among the invalid ones; each takes the service some milliseconds. */
const HUGE_SHARE = 0.004;
/** The target of a request is part of its head, which is bounded. */
const MAX_TARGET_TEXT = 2_000;
const MAX_FREE_DEPTH = 3;

export class RequestGenerator {
  readonly #random: SeededRandom;
  readonly #components: Readonly<Record<string, Schema>>;
  /** Ids of other workspaces. */
  readonly #foreignIds: readonly string[];
  readonly #name: string;
  #count = 0;

  constructor(given: {
    random: SeededRandom;
    components: Readonly<Record<string, Schema>>;
    foreignIds: readonly string[];
    /** Makes the e-mail addresses unique. */
    name: string;
  }) {
    this.#random = given.random;
    this.#components = given.components;
    this.#foreignIds = given.foreignIds;
    this.#name = given.name;
  }

  request(operation: Operation, tenant: FuzzTenant): FuzzRequest {
    this.#count += 1;
    const isValid = this.#random.chance(VALID_SHARE);
    const body = this.#body(operation, tenant, isValid);
    const headers = this.#headers({ operation, isValid, hasBody: body !== null });
    const credential = this.#credential(operation, tenant, isValid);
    if (credential !== null) headers['authorization'] = `Bearer ${credential}`;
    return {
      operation,
      path: this.#path(operation, tenant, isValid),
      headers,
      body,
      trick: this.#random.chance(TRICK_SHARE) ? this.#random.pick(WIRE_TRICKS) : null,
      isAuthentic: operation.credentials.some((kind) => credential === tenant.credential(kind)),
    };
  }

  #credential({ credentials }: Operation, tenant: FuzzTenant, isValid: boolean): string | null {
    if (credentials.length === 0) return this.#random.chance(0.8) ? null : 'lg_garbage';
    const kind = this.#random.pick(credentials);
    const isOther = kind === 'apiKey' && tenant.otherKeys.length > 0 && this.#random.chance(OTHER_KEY_SHARE);
    const right = isOther ? this.#random.pick(tenant.otherKeys) : tenant.credential(kind);
    if (isValid || this.#random.chance(0.7)) return right;
    const header = this.#random
      .pick(HOSTILE_TEXTS)
      .replace(/[^\x20-\x7e]/g, '')
      .slice(0, MAX_TARGET_TEXT);
    return this.#random.pick([tenant.apiKey, tenant.token, null, 'lg_x_y', 'a.b.c', header, `${right}x`]);
  }

  #headers(given: { operation: Operation; isValid: boolean; hasBody: boolean }): Record<string, string> {
    const { operation, isValid, hasBody } = given;
    const headers: Record<string, string> = {};
    if (hasBody) headers['content-type'] = 'application/json';
    for (const { name } of operation.parameters.filter((parameter) => parameter.in === 'header')) {
      // Few keys, so that some requests are retries and others reuse the key of another request.
      if (this.#random.chance(0.3)) headers[name] = `${this.#name}-${this.#random.integer(1, 200)}`;
      else if (!isValid && this.#random.chance(0.2)) headers[name] = this.#random.pick(IDEMPOTENCY_KEYS);
    }
    if (isValid) return headers;
    if (hasBody && this.#random.chance(0.1)) {
      if (this.#random.chance(0.1)) delete headers['content-type'];
      else headers['content-type'] = this.#random.pick(CONTENT_TYPES);
    }
    if (this.#random.chance(0.03)) headers['content-encoding'] = this.#random.pick(CONTENT_ENCODINGS);
    if (this.#random.chance(0.1)) Object.assign(headers, this.#random.pick(ODD_HEADERS));
    return headers;
  }

  #path({ path, parameters }: Operation, tenant: FuzzTenant, isValid: boolean): string {
    const ids = this.#knownIds(tenant, path);
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const known = ids[name] ?? this.#random.pick(STORABLE_TEXTS);
      return encode(isValid || this.#random.chance(0.5) ? known : this.#oddPathText(tenant));
    });
    const query = parameters
      .filter((parameter) => parameter.in === 'query' && this.#random.chance(0.5))
      .map((parameter) => `${parameter.name}=${encode(this.#queryText(parameter, isValid))}`);
    if (!isValid && this.#random.chance(0.05))
      query.push(`${encode(this.#anyText())}=${encode(this.#anyText())}`);
    const slashed = this.#random.chance(0.1)
      ? filled.replace(/\/?$/, (end) => (end === '' ? '/' : ''))
      : filled;
    return query.length === 0 ? slashed : `${slashed}?${query.join('&')}`;
  }

  /** Ids that exist in the tenant's workspace; a step together with its run. */
  #knownIds(
    { runIds, steps, keyIds, memberIds, invitations }: FuzzTenant,
    path: string,
  ): Record<string, string | undefined> {
    const step = path.includes('{step_id}') ? this.#pickKnown(steps) : undefined;
    return {
      run_id: step?.runId ?? this.#pickKnown(runIds),
      step_id: step?.stepId,
      id: this.#pickKnown(keyIds),
      member_id: this.#pickKnown(memberIds),
      invitation_id: this.#pickKnown(invitations)?.id,
      user_id: this.#random.pick(['ada', 'bob', ...STORABLE_TEXTS]),
      model: this.#random.pick(['gpt', 'meta-llama/Llama-3', ...STORABLE_TEXTS]),
    };
  }

  #pickKnown<Item>(items: readonly Item[]): Item | undefined {
    return items.length === 0 ? undefined : this.#random.pick(items);
  }

  #oddPathText({ runIds, keyIds }: FuzzTenant): string {
    const ids = [...this.#foreignIds, ...runIds, ...keyIds];
    return this.#random.chance(0.4) && ids.length > 0 ? this.#random.pick(ids) : this.#anyText() || 'x';
  }

  #queryText({ name, schema }: Parameter, isValid: boolean): string {
    return isValid || this.#random.chance(0.5) ? String(this.#valid(schema, name, null)) : this.#anyText();
  }

  #anyText(): string {
    return this.#random.pick(HOSTILE_TEXTS).slice(0, MAX_TARGET_TEXT);
  }

  #body({ body: schema }: Operation, tenant: FuzzTenant, isValid: boolean): Buffer | null {
    if (isValid) return schema === null ? null : Buffer.from(JSON.stringify(this.#valid(schema, '', tenant)));
    if (schema === null && !this.#random.chance(0.1)) return null;
    const roll = this.#random.next();
    if (roll < 0.05) return Buffer.from(this.#random.pick(BROKEN_JSON));
    if (roll < 0.07) return this.#random.pick(BROKEN_BYTES);
    if (roll < 0.08) return Buffer.alloc(0);
    if (roll < 0.13) return Buffer.from(this.#random.pick(HOSTILE_JSON));
    if (roll < 0.13 + HUGE_SHARE) return this.#random.pick(HUGE_JSON)();
    return Buffer.from(this.#mutated(schema ?? {}, tenant));
  }

  /** A valid object with one member replaced by a hostile value, as raw text. */
  #mutated(schema: Schema, tenant: FuzzTenant): string {
    const valid = this.#valid(schema, '', tenant);
    if (typeof valid !== 'object' || valid === null) return JSON.stringify(valid) ?? 'null';
    const names = Object.keys(this.#resolve(schema).properties ?? {});
    const victim = this.#random.pick([
      ...names,
      ...names,
      'unknown',
      '__proto__',
      'constructor',
      'prototype',
    ]);
    const texts = Object.entries(valid)
      // Sometimes the name occurs twice, and the last one counts.
      .filter(([name]) => name !== victim || this.#random.chance(0.2))
      .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
    return `{${[...texts, `${JSON.stringify(victim)}:${this.#hostileJson()}`].join(',')}}`;
  }

  #hostileJson(): string {
    if (this.#random.chance(HUGE_SHARE)) return this.#random.pick(HUGE_JSON)().toString();
    return this.#random.chance(0.5)
      ? JSON.stringify(this.#random.pick(HOSTILE_TEXTS))
      : this.#random.pick(HOSTILE_JSON);
  }

  #valid(given: Schema, name: string, tenant: FuzzTenant | null): unknown {
    const schema = this.#resolve(given);
    if (schema.enum !== undefined) return this.#random.pick(schema.enum.filter((value) => value !== null));
    // Other values would contradict the rest of most reports.
    if (PARTS_OF_TOKENS.has(name)) return this.#random.pick([null, 0, 0, 1]);
    if (name === 'error') return this.#random.pick([null, null, null, ...STORABLE_TEXTS]);
    const types = [schema.type ?? 'string'].flat();
    switch (types.length === 1 || this.#random.chance(0.8) ? types[0] : this.#random.pick(types)) {
      case 'object':
        return schema.properties === undefined ? this.#freeObject(0) : this.#object(schema, tenant);
      case 'array':
        return [];
      case 'integer':
        return this.#integer(schema);
      case 'number':
        return this.#random.pick([0, 0.000_001, 1.5, 1e-12, 1_000_000, 9_000]);
      case 'boolean':
        return this.#random.chance(0.5);
      case 'null':
        return null;
      default:
        return this.#text(name, schema, tenant);
    }
  }

  #integer({ minimum = 0, maximum = 7 }: Schema): number {
    return this.#random.chance(0.1) ? maximum : Math.min(maximum, minimum + this.#random.integer(0, 30));
  }

  #text(name: string, schema: Schema, tenant: FuzzTenant | null): string {
    if (name === 'email') {
      // A registration needs a new e-mail; the limit on its length tells it from a sign-in.
      const isNew = (schema as { minLength?: number }).minLength !== undefined;
      return isNew || tenant === null ? `${this.#name}-${this.#count}@example.com` : tenant.email;
    }
    if (name === 'token' && tenant !== null) return tenant.resetToken;
    if (name.endsWith('password')) return tenant?.password ?? 'correct horse';
    return this.#random.chance(0.5)
      ? this.#random.pick(['ada', 'gpt', 'zoë', "o'brien", '用户'])
      : this.#random.pick(STORABLE_TEXTS);
  }

  #object(schema: Schema, tenant: FuzzTenant | null): Record<string, unknown> {
    const members = Object.entries(schema.properties ?? {})
      .filter(([name]) => schema.required?.includes(name) === true || this.#random.chance(0.5))
      .map(([name, property]) => [name, this.#valid(property, name, tenant)]);
    return this.#withOneInvitation(this.#withOneEstimate(Object.fromEntries(members)), tenant);
  }

  /** A step is estimated in tokens or in dollars; any other choice of these fields is an error. */
  #withOneEstimate(object: Record<string, unknown>): Record<string, unknown> {
    if (!ESTIMATE_FIELDS.some((name) => name in object) || this.#random.chance(0.1)) return object;
    const rest = Object.entries(object).filter(([name]) => !ESTIMATE_FIELDS.includes(name));
    const estimate = this.#random.pick([
      {},
      { estimated_cost_usd: 0.000_001 },
      { estimated_prompt_tokens: 3, max_completion_tokens: 5 },
    ]);
    return { ...Object.fromEntries(rest), ...estimate };
  }

  /** An invitation is for its e-mail, and for a workspace that has a name. */
  #withOneInvitation(object: Record<string, unknown>, tenant: FuzzTenant | null): Record<string, unknown> {
    if (!('invitation' in object) || this.#random.chance(0.1)) return object;
    const { invitation: _, ...rest } = object;
    const open = tenant === null ? undefined : this.#pickKnown(tenant.invitations);
    if (open === undefined) return rest;
    return { ...rest, workspace_name: null, email: open.email, invitation: open.token };
  }

  /** Any value that may be stored: hostile text in names and values. */
  #freeObject(depth: number): Record<string, unknown> {
    const members = Array.from({ length: this.#random.integer(0, 3) }, () => [
      this.#random.pick(STORABLE_TEXTS),
      this.#freeValue(depth + 1),
    ]);
    return Object.fromEntries(members);
  }

  #freeValue(depth: number): unknown {
    if (depth < MAX_FREE_DEPTH && this.#random.chance(0.3)) return this.#freeObject(depth);
    if (depth < MAX_FREE_DEPTH && this.#random.chance(0.2)) return [this.#freeValue(depth + 1), null];
    return this.#random.pick([this.#random.pick(STORABLE_TEXTS), -0, 1e21, 0.1, true, null]);
  }

  #resolve(schema: Schema): Schema {
    const name = schema.$ref?.split('/').at(-1);
    return name === undefined ? schema : (this.#components[name] ?? {});
  }
}

const ESTIMATE_FIELDS: readonly string[] = [
  'estimated_cost_usd',
  'estimated_prompt_tokens',
  'max_completion_tokens',
];

const PARTS_OF_TOKENS: ReadonlySet<string> = new Set([
  'cache_read_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
]);

/** Percent-encoded; half of a surrogate pair as the bytes that a careless client sends. */
function encode(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80';
}
