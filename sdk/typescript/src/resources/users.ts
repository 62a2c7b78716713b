import type { ListUsers, User, UserDetail, UserPage } from '../api-types.js';
import type { RequestOptions, Transport } from '../internal/transport.js';
import { allPages } from './all-pages.js';

export class Users {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list(query?: ListUsers, options?: RequestOptions): Promise<UserPage> {
    return this.#transport.send({ method: 'GET', path: '/v1/users/', query, replay: 'safe', options });
  }

  /** All of them: `for await (const user of guard.users.all())`. */
  all(query: Omit<ListUsers, 'page' | 'perPage'> = {}, options?: RequestOptions): AsyncGenerator<User> {
    return allPages(
      (place) => this.list({ ...query, ...place }, options),
      ({ userId }) => userId,
    );
  }

  /** With spend by day, models and denials of the last days. */
  get(userId: string, query?: { readonly days?: number }, options?: RequestOptions): Promise<UserDetail> {
    const named = { ...query, name: userId };
    return this.#transport.send({
      method: 'GET',
      path: '/v1/users/-',
      query: named,
      replay: 'safe',
      options,
    });
  }

  /** Denies all runs and steps of the user. You can block a user before their first run. `note` says why. */
  block(
    userId: string,
    { note, ...options }: RequestOptions & { readonly note?: string } = {},
  ): Promise<User> {
    const body = note === undefined ? { userId } : { userId, note };
    return this.#transport.send({ ...post('block', body), replay: 'safe', options });
  }

  unblock(userId: string, options?: RequestOptions): Promise<User> {
    return this.#transport.send({ ...post('unblock', { userId }), replay: 'safe', options });
  }
}

/** The id is not part of the path, because a path cannot contain the ids `.` and `..`. */
function post(action: 'block' | 'unblock', body: { userId: string; note?: string }) {
  return { method: 'POST', path: `/v1/users/${action}`, body } as const;
}
