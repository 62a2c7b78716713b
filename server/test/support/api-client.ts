/** Real HTTP with a credential; replies are returned as received. */

export interface ApiReply {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON, or the text if it is not JSON. Tests assert what they read from it. */
  // biome-ignore lint/suspicious/noExplicitAny: replies are asserted field by field.
  readonly body: any;
  readonly text: string;
}

export class ApiClient {
  readonly url: string;
  readonly credential: string | null;

  constructor(url: string, credential: string | null) {
    this.url = url;
    this.credential = credential;
  }

  withCredential(credential: string | null): ApiClient {
    return new ApiClient(this.url, credential);
  }

  get(path: string): Promise<ApiReply> {
    return this.send('GET', path);
  }

  post(path: string, body?: unknown): Promise<ApiReply> {
    return this.send('POST', path, body);
  }

  put(path: string, body?: unknown): Promise<ApiReply> {
    return this.send('PUT', path, body);
  }

  patch(path: string, body?: unknown): Promise<ApiReply> {
    return this.send('PATCH', path, body);
  }

  delete(path: string): Promise<ApiReply> {
    return this.send('DELETE', path);
  }

  /** Sends text unchanged and everything else as JSON. Redirects are not followed: they are answers, too. */
  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiReply> {
    const response = await fetch(this.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(this.credential === null ? {} : { authorization: `Bearer ${this.credential}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = isEventStream(response.headers.get('content-type'))
      ? await firstEventOf(response)
      : await response.text();
    return { status: response.status, headers: response.headers, body: parse(text), text };
  }
}

export function isEventStream(contentType: string | null | undefined): boolean {
  return contentType?.startsWith('text/event-stream') === true;
}

/** A stream does not end by itself. */
async function firstEventOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  // Leaving the loop cancels the request.
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes('\n\n')) break;
  }
  return text;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Everything that a client can see, except for what differs in every answer. */
export function visible({ status, headers, text }: ApiReply) {
  const seen = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
  return { status, headers: Object.fromEntries(seen), text };
}
