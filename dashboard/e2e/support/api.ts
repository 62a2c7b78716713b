/** A minimal API client, independent of the SDK. */

export interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: replies are asserted field by field.
  readonly body: any;
}

export class Api {
  readonly #url: string;
  readonly #credential: string | null;

  constructor(url: string, credential: string | null) {
    this.#url = url;
    this.#credential = credential;
  }

  get(path: string): Promise<Reply> {
    return this.send('GET', path);
  }

  post(path: string, body?: object): Promise<Reply> {
    return this.send('POST', path, body);
  }

  async send(method: string, path: string, body?: object): Promise<Reply> {
    const response = await fetch(this.#url + path, {
      method,
      headers: {
        ...(this.#credential === null ? {} : { authorization: `Bearer ${this.#credential}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  }
}
