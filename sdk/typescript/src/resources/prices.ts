import type { CataloguePrice, ModelPrice, PutModelPrice, SearchCatalogue } from '../api-types.js';
import type { RequestOptions, Transport } from '../internal/transport.js';

export class Prices {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists the active prices. */
  list(options?: RequestOptions): Promise<readonly ModelPrice[]> {
    return this.#transport.send({ method: 'GET', path: '/v1/model-pricing/', replay: 'safe', options });
  }

  /** Public list prices whose name or provider contains every word of the query, to set your own prices from. */
  catalogue(query: SearchCatalogue, options?: RequestOptions): Promise<readonly CataloguePrice[]> {
    const path = '/v1/model-pricing-catalogue';
    return this.#transport.send({ method: 'GET', path, query, replay: 'safe', options });
  }

  /** The model must match the model of the steps exactly. */
  put(model: string, body: PutModelPrice, options?: RequestOptions): Promise<ModelPrice> {
    const path = `/v1/model-pricing/${encodeURIComponent(model)}`;
    return this.#transport.send({ method: 'PUT', path, body, replay: 'safe', options });
  }
}
