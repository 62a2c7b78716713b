/** Requests to the service and its answers, as the model sees them. */

import type { NaiveLimits } from './naive-rules.js';

export interface NaiveRequest {
  readonly method: string;
  readonly path: string;
  readonly credential: string | null;
  readonly idempotencyKey?: string;
  readonly body?: NaiveBody;
}

/** Every field that a request may have. */
export interface NaiveBody {
  readonly user_id?: string | null;
  readonly note?: string | null;
  readonly metadata?: unknown;
  readonly lease_seconds?: number | null;
  readonly limits?: NaiveLimits;
  readonly status?: string;
  readonly type?: string;
  readonly sequence?: number;
  readonly model?: string | null;
  readonly tool_name?: string | null;
  readonly input_data?: unknown;
  readonly estimated_cost_usd?: number | null;
  readonly estimated_prompt_tokens?: number | null;
  readonly max_completion_tokens?: number | null;
  readonly duration_ms?: number | null;
  readonly prompt_tokens?: number | null;
  readonly completion_tokens?: number | null;
  readonly cache_read_tokens?: number | null;
  readonly cache_write_tokens?: number | null;
  readonly reasoning_tokens?: number | null;
  readonly cost_usd?: number | null;
  readonly output_data?: unknown;
  readonly error?: string | null;
  readonly estimated?: boolean | null;
  readonly reports?: readonly (NaiveBody & { readonly step_id: string })[];
  readonly input_cost_per_token?: number;
  readonly output_cost_per_token?: number;
  readonly cache_read_cost_per_token?: number | null;
  readonly cache_write_cost_per_token?: number | null;
  readonly is_active?: boolean;
  readonly name?: string | null;
  readonly scope?: string;
  readonly daily_budget_usd?: number | null;
  readonly user_daily_budget_usd?: number | null;
  readonly max_concurrent_runs?: number | null;
  readonly run_lease_seconds?: number | null;
  readonly require_holds?: boolean;
  readonly deny_unpriced_models?: boolean;
  readonly run_limits?: NaiveLimits & { readonly repeat_exempt_tools?: readonly string[] };
  readonly active?: boolean;
  readonly label?: string | null;
  readonly plan?: string;
  readonly email?: string;
  readonly password?: string;
  readonly workspace_name?: string | null;
  readonly current_password?: string;
  readonly new_password?: string;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** The Retry-After header of a temporary refusal. */
  readonly retryAfter?: string;
}

export const ok = (body: unknown): Answer => ({ status: 200, body });
export const created = (body: unknown): Answer => ({ status: 201, body });
export const refused = (status: number, detail: string): Answer => ({ status, body: { detail } });

/**
 * Values that only the service can choose, read from its answer: ids and secrets. An id must be new; for one that was issued
 * before, or is not an id, the prediction is a text that no answer has.
 */
export class IssuedValues {
  readonly #known = new Set<string>();
  #answer: unknown;

  readFrom(answer: unknown): void {
    this.#answer = answer;
  }

  freshId(...path: readonly (string | number)[]): string {
    const id = this.text(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/, ...path);
    if (this.#known.has(id)) return `an id other than ${id}, which was given before`;
    this.#known.add(id);
    return id;
  }

  text(pattern: RegExp, ...path: readonly (string | number)[]): string {
    const found = this.#at(path);
    return typeof found === 'string' && pattern.test(found) ? found : `text like ${pattern}`;
  }

  /** The index of the first element of a list with this value in a field. */
  indexWhere(field: string, value: unknown): number {
    const list = Array.isArray(this.#answer) ? this.#answer : [];
    return list.findIndex((element) => element?.[field] === value);
  }

  #at(path: readonly (string | number)[]): unknown {
    let place: unknown = this.#answer;
    for (const name of path) {
      if (typeof place !== 'object' || place === null) return undefined;
      place = Reflect.get(place, name);
    }
    return place;
  }
}
