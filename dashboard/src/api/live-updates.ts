/**
 * Keeps a stream of changes open while the page is visible, signed in and connected, one for each tab. While it is open, queries are
 * read when they change instead of at intervals. If the service refuses it, or something in between holds it back, queries poll.
 */

import { session } from '../session/session.ts';
import { connection } from './connection.ts';
import type { CurrentQueries, Topic } from './current-queries.ts';
import { EventParser, type ServerEvent } from './event-parser.ts';

const PATH = '/v1/events';
/** What a page reads first comes first: the stream is opened when nothing has been read for a moment. */
const START_DELAY_MS = 2_000;
/** Browsers open few connections to a server: tabs in the background leave theirs to others. */
const HIDDEN_MS = 5_000;
/** The service sends something every 10 seconds. */
const SILENCE_MS = 15_000;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;
/** A stream that lasts as long has worked: the next retry is soon. */
const WORKING_MS = 10_000;
const UNAUTHENTICATED = 401;

export class LiveUpdates {
  readonly #queries: CurrentQueries;
  #open: { readonly token: string; readonly controller: AbortController } | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #hiding: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #isHidden = document.hidden;

  constructor(queries: CurrentQueries) {
    this.#queries = queries;
  }

  start(): void {
    setTimeout(() => (this.#queries.isReading ? this.start() : this.#begin()), START_DELAY_MS);
  }

  #begin(): void {
    session.subscribe(() => this.#update());
    connection.subscribe(() => this.#update());
    document.addEventListener('visibilitychange', () => {
      clearTimeout(this.#hiding);
      if (document.hidden) {
        this.#hiding = setTimeout(() => this.#setHidden(true), HIDDEN_MS);
      } else {
        this.#setHidden(false);
      }
    });
    this.#update();
  }

  #setHidden(isHidden: boolean): void {
    if (this.#isHidden === isHidden) return;
    this.#isHidden = isHidden;
    this.#failures = 0;
    this.#update();
  }

  /** Opens or closes the stream, as needed. */
  #update(): void {
    const { token } = session.current();
    const wanted = this.#isHidden || connection.current().lost ? null : token;
    if (this.#open?.token === wanted) return;
    clearTimeout(this.#retry);
    this.#close();
    if (wanted !== null) void this.#follow(wanted);
  }

  #close(): void {
    this.#open?.controller.abort();
    this.#open = null;
    this.#queries.end();
  }

  async #follow(token: string): Promise<void> {
    const controller = new AbortController();
    this.#open = { token, controller };
    const beganAt = Date.now();
    let wasReady = false;
    const onEvent = (event: ServerEvent) => {
      if (event.name === 'ready') {
        wasReady = true;
        this.#queries.begin();
      }
      if (event.name === 'change') this.#queries.refresh(topicsOf(event));
    };
    await readEvents({ token, signal: controller.signal, onEvent }).catch(() => {});
    // Closed on purpose, and maybe replaced.
    if (this.#open?.controller !== controller) return;
    this.#close();
    this.#failures = wasReady && Date.now() - beganAt >= WORKING_MS ? 0 : this.#failures + 1;
    // Jitter: all tabs lose their streams at the same time when a server stops.
    const maxMs = Math.min(FIRST_RETRY_MS * 2 ** this.#failures, MAX_RETRY_MS);
    this.#retry = setTimeout(() => this.#update(), maxMs * (0.5 + Math.random() / 2));
    if (wasReady) void connection.check();
  }
}

/** Resolves when the stream ends; rejects when it is refused, fails, or stays silent. */
async function readEvents(given: {
  readonly token: string;
  readonly signal: AbortSignal;
  readonly onEvent: (event: ServerEvent) => void;
}): Promise<void> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const response = await fetch(PATH, {
      headers: { authorization: `Bearer ${given.token}` },
      cache: 'no-store',
      signal: AbortSignal.any([given.signal, silence.signal]),
    });
    if (response.status === UNAUTHENTICATED && session.current().token === given.token) session.expire();
    if (!response.ok || response.body === null) return;
    const parser = new EventParser();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      connection.recordResponse();
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      for (const event of parser.add(piece.value)) given.onEvent(event);
    }
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

const TOPICS: readonly Topic[] = ['runs', 'settings'];

/** All topics if the service is newer and names others only. */
function topicsOf({ data }: ServerEvent): readonly Topic[] {
  const { topics } = JSON.parse(data) as { topics: readonly string[] };
  const known = TOPICS.filter((topic) => topics.includes(topic));
  return known.length > 0 ? known : TOPICS;
}
