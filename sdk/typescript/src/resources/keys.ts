import type { ApiKey, KeyScope, NewApiKey } from '../api-types.js';
import type { RequestOptions, Transport } from '../internal/transport.js';

export interface NewKey {
  readonly label?: string | null;
  /**
   * What the key may do: `'agent'` what an agent needs for its runs, `'read'` only reads, `'admin'` (the default) everything.
   */
  readonly scope?: KeyScope;
  /** Limits a key with the scope `'agent'` to the runs of one end user. */
  readonly userId?: string | null;
}

export class Keys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list(options?: RequestOptions): Promise<readonly ApiKey[]> {
    return this.#transport.send({ method: 'GET', path: '/v1/api-keys/', replay: 'safe', options });
  }

  /** The response contains the key, which is not shown again. */
  create({ userId, ...rest }: NewKey = {}, options?: RequestOptions): Promise<NewApiKey> {
    const path = '/v1/api-keys/';
    const body = { ...rest, ...(userId === undefined ? {} : { userId }) };
    return this.#transport.send({ method: 'POST', path, body, replay: 'unless-timed-out', options });
  }

  revoke(keyId: string, options?: RequestOptions): Promise<void> {
    const path = `/v1/api-keys/${encodeURIComponent(keyId)}`;
    const isReply = () => true;
    return this.#transport.send({ method: 'DELETE', path, replay: 'safe', options, isReply });
  }

  /** Immediately revokes all other keys of the workspace, including the key of this client. */
  regenerate(options?: RequestOptions): Promise<NewApiKey> {
    const path = '/v1/api-keys/regenerate';
    return this.#transport.send({ method: 'POST', path, replay: 'unless-sent', options });
  }
}
