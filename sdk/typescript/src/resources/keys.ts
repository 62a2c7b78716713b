import type { ApiKey, CreateApiKey, NewApiKey } from '../api-types.js';
import type { RequestOptions, Transport } from '../internal/transport.js';

export class Keys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list(options?: RequestOptions): Promise<readonly ApiKey[]> {
    return this.#transport.send({ method: 'GET', path: '/v1/api-keys/', replay: 'safe', options });
  }

  /** The key itself is shown this once. */
  create(body: CreateApiKey = {}, options?: RequestOptions): Promise<NewApiKey> {
    const path = '/v1/api-keys/';
    return this.#transport.send({ method: 'POST', path, body, replay: 'waited-for', options });
  }

  revoke(keyId: string, options?: RequestOptions): Promise<void> {
    const path = `/v1/api-keys/${encodeURIComponent(keyId)}`;
    return this.#transport.send({ method: 'DELETE', path, replay: 'safe', options });
  }

  /** Every earlier key of the workspace stops at once, including the one this client uses. */
  regenerate(options?: RequestOptions): Promise<NewApiKey> {
    const path = '/v1/api-keys/regenerate';
    return this.#transport.send({ method: 'POST', path, replay: 'unless-sent', options });
  }
}
