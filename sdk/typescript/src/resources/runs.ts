import type {
  CreatedStep,
  CreateStep,
  EndedRun,
  EndRun,
  ExplainedDecision,
  ListRuns,
  Run,
  RunPage,
  StartedRun,
  StartRun,
  UpdatedStep,
  UpdateStep,
} from '../api-types.js';
import type { RequestOptions, Transport } from '../internal/transport.js';

export class Runs {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The bare request: a DENY is a value here. `GuardedRuns.start` throws it. */
  start(body: StartRun, options?: RequestOptions): Promise<StartedRun> {
    return this.#transport.send({ method: 'POST', path: '/v1/runs/', body, replay: 'waited-for', options });
  }

  end(runId: string, body: EndRun, options?: RequestOptions): Promise<EndedRun> {
    return this.#transport.send({ method: 'POST', path: `${of(runId)}/end`, body, replay: 'safe', options });
  }

  /** The bare request: a DENY is a value here. */
  createStep(runId: string, body: CreateStep, options?: RequestOptions): Promise<CreatedStep> {
    const path = `${of(runId)}/steps`;
    return this.#transport.send({ method: 'POST', path, body, replay: 'waited-for', options });
  }

  updateStep(
    ids: { runId: string; stepId: string },
    body: UpdateStep,
    options?: RequestOptions,
  ): Promise<UpdatedStep> {
    const path = `${of(ids.runId)}/steps/${encodeURIComponent(ids.stepId)}`;
    return this.#transport.send({ method: 'PATCH', path, body, replay: 'safe', options });
  }

  list(query?: ListRuns, options?: RequestOptions): Promise<RunPage> {
    return this.#transport.send({ method: 'GET', path: '/v1/runs/', query, replay: 'safe', options });
  }

  get(runId: string, options?: RequestOptions): Promise<Run> {
    return this.#transport.send({ method: 'GET', path: of(runId), replay: 'safe', options });
  }

  /** Every decision of the run with what each rule compared. */
  decisions(runId: string, options?: RequestOptions): Promise<readonly ExplainedDecision[]> {
    return this.#transport.send({ method: 'GET', path: `${of(runId)}/decisions`, replay: 'safe', options });
  }
}

const of = (runId: string) => `/v1/runs/${encodeURIComponent(runId)}`;
