import type {
  CreatedStep,
  CreateStep,
  EndedRun,
  EndRun,
  ExplainedDecision,
  Heartbeat,
  ListRuns,
  Run,
  RunListItem,
  RunPage,
  StartedRun,
  StartRun,
  StoppedRun,
  UpdatedStep,
  UpdateStep,
} from '../api-types.js';
import type { RequestOptions, Transport } from '../internal/transport.js';
import { fieldOf } from '../usage/token-usage.js';
import { allPages } from './all-pages.js';

export class Runs {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Returns a DENY as a value, unlike `GuardedRuns.start`, which throws it. */
  start(body: StartRun, options?: RequestOptions): Promise<StartedRun> {
    const path = '/v1/runs/';
    const request = { method: 'POST', path, body, replay: 'unless-timed-out', options } as const;
    return this.#transport.send({ ...request, isReply: hasDecision });
  }

  end(runId: string, body: EndRun, options?: RequestOptions): Promise<EndedRun> {
    const path = `${runPath(runId)}/end`;
    return this.#transport.send({ method: 'POST', path, body, replay: 'safe', options });
  }

  /** Renews the lease. The decision is what a new step would get now. A `GuardedRun` sends its own heartbeats. */
  heartbeat(runId: string, options?: RequestOptions): Promise<Heartbeat> {
    const path = `${runPath(runId)}/heartbeat`;
    const request = { method: 'POST', path, replay: 'safe', options } as const;
    return this.#transport.send({ ...request, isReply: hasDecision });
  }

  /** Ends a run as its operator. Its agent learns it from its next step or heartbeat. */
  stop(runId: string, options?: RequestOptions): Promise<StoppedRun> {
    const path = `${runPath(runId)}/stop`;
    return this.#transport.send({ method: 'POST', path, replay: 'safe', options });
  }

  /** Returns a DENY as a value, unlike the methods of `GuardedRun`, which throw it. */
  createStep(runId: string, body: CreateStep, options?: RequestOptions): Promise<CreatedStep> {
    const path = `${runPath(runId)}/steps`;
    const request = { method: 'POST', path, body, replay: 'unless-timed-out', options } as const;
    return this.#transport.send({ ...request, isReply: hasDecision });
  }

  updateStep(
    ids: { runId: string; stepId: string },
    body: UpdateStep,
    options?: RequestOptions,
  ): Promise<UpdatedStep> {
    const path = `${runPath(ids.runId)}/steps/${encodeURIComponent(ids.stepId)}`;
    return this.#transport.send({ method: 'PATCH', path, body, replay: 'safe', options });
  }

  list(query?: ListRuns, options?: RequestOptions): Promise<RunPage> {
    return this.#transport.send({ method: 'GET', path: '/v1/runs/', query, replay: 'safe', options });
  }

  /** All of them, the newest first: `for await (const run of guard.runs.all({ status: 'FAILED' }))`. */
  all(query: Omit<ListRuns, 'page' | 'perPage'> = {}, options?: RequestOptions): AsyncGenerator<RunListItem> {
    return allPages(
      (place) => this.list({ ...query, ...place }, options),
      ({ id }) => id,
    );
  }

  get(runId: string, options?: RequestOptions): Promise<Run> {
    return this.#transport.send({ method: 'GET', path: runPath(runId), replay: 'safe', options });
  }

  /** Lists all decisions of the run, with the values that each rule compared. */
  decisions(runId: string, options?: RequestOptions): Promise<readonly ExplainedDecision[]> {
    const path = `${runPath(runId)}/decisions`;
    return this.#transport.send({ method: 'GET', path, replay: 'safe', options });
  }
}

/** A body without a decision must not look like a permission. */
function hasDecision(body: unknown): boolean {
  const outcome = fieldOf(fieldOf(body, 'decision'), 'outcome');
  return typeof fieldOf(body, 'id') === 'string' && (outcome === 'ALLOW' || outcome === 'DENY');
}

const runPath = (runId: string) => `/v1/runs/${encodeURIComponent(runId)}`;
