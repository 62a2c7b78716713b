/** A stream of server-sent events, read in the background. */

import type { ApiClient } from './api-client.js';

export interface StreamedEvent {
  readonly name: string;
  readonly data: unknown;
}

/** Much longer than a change takes to be told. */
const DEADLINE_MS = 15_000;

export class OpenEventStream {
  /** All so far; the first is `ready`. */
  readonly events: StreamedEvent[] = [];
  readonly status: number;
  readonly headers: Headers;
  /** Resolves when the service has ended the stream. */
  readonly ended: Promise<void>;
  readonly #controller: AbortController;
  #waiting: (() => void)[] = [];

  private constructor(response: Response, controller: AbortController) {
    this.status = response.status;
    this.headers = response.headers;
    this.#controller = controller;
    this.ended = withDeadline(this.#read(response), 'The stream has not ended', 4 * DEADLINE_MS);
    // Whoever does not await it has ended the stream.
    this.ended.catch(() => {});
  }

  /** Resolves when the stream is ready, or has been refused. */
  static async open(
    { url, credential }: ApiClient,
    headers: Record<string, string> = {},
  ): Promise<OpenEventStream> {
    const controller = new AbortController();
    const response = await fetch(`${url}/v1/events`, {
      headers: { authorization: `Bearer ${credential}`, ...headers },
      signal: controller.signal,
    });
    const stream = new OpenEventStream(response, controller);
    if (response.ok) await stream.next(0);
    return stream;
  }

  /** The event at this place, which may still be to come; by default the next one. */
  next(index = this.events.length): Promise<StreamedEvent> {
    const wait = async (): Promise<StreamedEvent> => {
      for (;;) {
        const event = this.events[index];
        if (event !== undefined) return event;
        await new Promise<void>((resolve) => void this.#waiting.push(resolve));
      }
    };
    return withDeadline(wait(), `There is no event ${index}`);
  }

  /** Resolves when a change of this topic has been told. */
  async told(topic: string): Promise<void> {
    for (let index = 1; !topicsOf(await this.next(index)).includes(topic); ) index += 1;
  }

  /** The topics of all changes so far. */
  get topics(): string[] {
    return this.events.flatMap(topicsOf);
  }

  close(): void {
    this.#controller.abort();
  }

  async #read({ body }: Response): Promise<void> {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of body ?? []) {
      const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const name = /^event: (.*)$/m.exec(block)?.[1];
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (name !== undefined && data !== undefined) this.events.push({ name, data: JSON.parse(data) });
      }
      for (const wake of this.#waiting.splice(0)) wake();
    }
  }
}

function topicsOf({ data }: StreamedEvent): string[] {
  return (data as { topics?: string[] }).topics ?? [];
}

async function withDeadline<Result>(
  work: Promise<Result>,
  message: string,
  deadlineMs = DEADLINE_MS,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(message)), deadlineMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
