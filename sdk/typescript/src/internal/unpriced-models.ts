/** Calls of a model without a price cost nothing in the budgets: the client warns of them, or does not make them. */

import { UnpricedModelError } from '../errors.js';
import type { Prices } from '../resources/prices.js';
import type { Availability } from './availability.js';
import type { Log } from './log.js';

export type OnUnpriced = 'warn' | 'deny' | 'ignore';

/** Prices are set rarely: a model that had none is looked up again after this time. */
const LOOK_AGAIN_MS = 10_000;

export class UnpricedModels {
  readonly #mode: OnUnpriced;
  readonly #prices: Prices;
  readonly #availability: Availability;
  readonly #log: Log;
  readonly #warned = new Set<string>();
  #priced: ReadonlySet<string> = new Set();
  #lookAgainAtMs = 0;

  constructor(given: { mode: OnUnpriced; prices: Prices; availability: Availability; log: Log }) {
    this.#mode = given.mode;
    this.#prices = given.prices;
    this.#availability = given.availability;
    this.#log = given.log;
  }

  /** Throws `UnpricedModelError` with `'deny'`. */
  async requirePrice(model: string): Promise<void> {
    if (this.#mode !== 'deny' || this.#priced.has(model)) return;
    if (performance.now() >= this.#lookAgainAtMs) {
      const prices = await this.#availability.orNull(() => this.#prices.list());
      // The agent continues unguarded.
      if (prices === null) return;
      this.#priced = new Set(prices.map((price) => price.model));
      this.#lookAgainAtMs = performance.now() + LOOK_AGAIN_MS;
    }
    if (!this.#priced.has(model)) throw new UnpricedModelError(model);
  }

  /** The service could not price the estimate of a call. */
  found(model: string): void {
    if (this.#mode !== 'warn' || this.#warned.has(model)) return;
    this.#warned.add(model);
    this.#log.warn(
      `${model} has no price, so its calls cost nothing in the budgets. Set one: guard.prices.put`,
    );
  }
}
