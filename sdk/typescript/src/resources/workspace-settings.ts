import type { PatchWorkspace, Workspace } from '../api-types.js';
import type { RequestOptions, Transport } from '../internal/transport.js';

export class WorkspaceSettings {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  get(options?: RequestOptions): Promise<Workspace> {
    return this.#transport.send({ method: 'GET', path: '/v1/workspace/', replay: 'safe', options });
  }

  /** Changes only the given fields. */
  update(body: PatchWorkspace, options?: RequestOptions): Promise<Workspace> {
    return this.#transport.send({ method: 'PATCH', path: '/v1/workspace/', body, replay: 'safe', options });
  }

  setKillSwitch(active: boolean, options?: RequestOptions): Promise<Workspace> {
    const path = '/v1/workspace/kill-switch';
    return this.#transport.send({ method: 'POST', path, body: { active }, replay: 'safe', options });
  }
}
