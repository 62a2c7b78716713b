/**
 * Tells those who watch a workspace that it has changed, within a second of the commit, and not what has changed: they read that as
 * everybody does. Only workspaces that are watched are looked at, four times a second, with one statement for every 100 of them.
 */

import { setImmediate } from 'node:timers/promises';
import { dayOf } from '../domain/period.js';
import { type BackgroundWork, repeatInBackground } from '../runtime/background-work.js';
import { type ChangeStore, MAX_MARKED_WORKSPACES, type WorkspaceMarks } from '../store/store.js';

/** `runs`: runs, steps, and what they add up to. `settings`: everything that has an entry in the audit log. */
export const TOPICS = ['runs', 'settings'] as const;
export type Topic = (typeof TOPICS)[number];

export type ChangeListener = (topics: readonly Topic[]) => void;

const LOOK_INTERVAL_MS = 250;
/** After a change, so that those who watch a busy workspace are told once a second. */
const LOOKS_LEFT_OUT = 3;
/** A new day changes what reads show. The clocks of the process and of the store may differ by as much. */
const DAY_LAG_MS = 2_000;

type Marks = Readonly<Record<Topic, string>>;

interface Watched {
  readonly listeners: Set<ChangeListener>;
  /** Resolves when there are marks to compare with: every change from then on is told. */
  isReady: Promise<void>;
  marks: Marks | null;
  /** Commands that this process has decided. */
  decided: number;
  looksLeftOut: number;
}

export interface WorkspaceChangesOptions {
  readonly store: ChangeStore;
  readonly clock: () => number;
  readonly onError: (error: unknown) => void;
}

export class WorkspaceChanges {
  readonly #store: ChangeStore;
  readonly #clock: () => number;
  readonly #onError: (error: unknown) => void;
  readonly #watched = new Map<string, Watched>();
  #looks: BackgroundWork | null = null;

  constructor({ store, clock, onError }: WorkspaceChangesOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#onError = onError;
  }

  /** Call after each commit of a command: on a store that only this process writes to, it is how changes of runs are known. */
  decided(workspaceId: string): void {
    const watched = this.#watched.get(workspaceId);
    if (watched !== undefined) watched.decided += 1;
  }

  /** Resolves to the function that ends it, when every change from then on is told. */
  async watch(workspaceId: string, listener: ChangeListener): Promise<() => void> {
    const watched = this.#watched.get(workspaceId) ?? this.#add(workspaceId);
    watched.listeners.add(listener);
    const end = () => {
      watched.listeners.delete(listener);
      if (watched.listeners.size === 0) this.#remove(workspaceId, watched);
    };
    try {
      await watched.isReady;
    } catch (error) {
      end();
      throw error;
    }
    return end;
  }

  #add(workspaceId: string): Watched {
    const watched: Watched = {
      listeners: new Set(),
      isReady: Promise.resolve(),
      marks: null,
      decided: 0,
      looksLeftOut: 0,
    };
    this.#watched.set(workspaceId, watched);
    watched.isReady = this.#look([[workspaceId, watched]]);
    this.#looks ??= repeatInBackground({
      intervalMs: LOOK_INTERVAL_MS,
      work: () => this.#lookAtAll(),
      onError: this.#onError,
    });
    return watched;
  }

  #remove(workspaceId: string, watched: Watched): void {
    if (this.#watched.get(workspaceId) === watched) this.#watched.delete(workspaceId);
    if (this.#watched.size > 0) return;
    this.#looks?.stop();
    this.#looks = null;
  }

  async #lookAtAll(): Promise<void> {
    const due: [string, Watched][] = [];
    for (const [workspaceId, watched] of this.#watched) {
      if (watched.looksLeftOut > 0) watched.looksLeftOut -= 1;
      else if (watched.marks !== null) due.push([workspaceId, watched]);
    }
    for (let start = 0; start < due.length; start += MAX_MARKED_WORKSPACES) {
      // Other requests go in between.
      if (start > 0) await setImmediate();
      await this.#look(due.slice(start, start + MAX_MARKED_WORKSPACES));
    }
  }

  async #look(some: readonly [string, Watched][]): Promise<void> {
    // Read before the marks of the store: what is decided meanwhile is found by the next look.
    const day = dayOf(this.#clock() - DAY_LAG_MS);
    const decided = new Map(some.map(([workspaceId, watched]) => [workspaceId, watched.decided]));
    const rows = await this.#store.readMarks(some.map(([workspaceId]) => workspaceId));
    const rowOf = new Map(rows.map((row) => [row.workspaceId, row]));
    for (const [workspaceId, watched] of some) {
      const row = rowOf.get(workspaceId);
      tell(watched, toMarks(row, `${day} ${row?.runs ?? decided.get(workspaceId)}`));
    }
  }
}

function toMarks(row: WorkspaceMarks | undefined, runs: string): Marks {
  return { runs, settings: row?.settings ?? '' };
}

function tell(watched: Watched, marks: Marks): void {
  const earlier = watched.marks;
  watched.marks = marks;
  const topics = TOPICS.filter((topic) => earlier !== null && earlier[topic] !== marks[topic]);
  if (topics.length === 0) return;
  watched.looksLeftOut = LOOKS_LEFT_OUT;
  for (const listener of watched.listeners) listener(topics);
}
