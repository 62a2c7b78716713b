import type {
  DailyUsage,
  GetGuardrailEffects,
  GuardrailEffects,
  ListDailyUsage,
  ModelDetail,
  UsageSummary,
} from '../api-types.js';
import type { RequestOptions, Transport } from '../internal/transport.js';

export class Usage {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  summary(options?: RequestOptions): Promise<UsageSummary> {
    return this.#transport.send({ method: 'GET', path: '/v1/usage/summary', replay: 'safe', options });
  }

  /** Lists UTC days, oldest first, including today. */
  daily(query?: ListDailyUsage, options?: RequestOptions): Promise<readonly DailyUsage[]> {
    return this.#transport.send({ method: 'GET', path: '/v1/usage/daily', query, replay: 'safe', options });
  }

  /** Tokens, spend, errors and durations of one model, by day. */
  model(model: string, query?: { readonly days?: number }, options?: RequestOptions): Promise<ModelDetail> {
    // A name is not part of the path, because a path cannot contain the names `.` and `..`.
    const named = { ...query, name: model };
    return this.#transport.send({
      method: 'GET',
      path: '/v1/models/-',
      query: named,
      replay: 'safe',
      options,
    });
  }

  /** Counts the runs of the last days that would have reached the given limits. */
  guardrailEffects(query?: GetGuardrailEffects, options?: RequestOptions): Promise<GuardrailEffects> {
    const path = '/v1/usage/guardrail-effects';
    return this.#transport.send({ method: 'GET', path, query, replay: 'safe', options });
  }
}
