/** Runs: clients start and end them, operators read and stop them. */

import Type from 'typebox';
import type { RunDetail, RunReport } from '../../control/run-report.js';
import { attoUsdToText, picoUsdToNumber } from '../../domain/money.js';
import { toIsoTimestamp, toNullableTimestamp } from '../../domain/period.js';
import { costPartsOf } from '../../domain/price.js';
import { durationOfRun } from '../../domain/run.js';
import { shownRunLimits } from '../../domain/shown.js';
import { COST_SOURCES, costSourceOf } from '../../domain/step.js';
import type { Engine } from '../../engine/engine.js';
import type { ListedStep } from '../../store/store.js';
import { pinnedUserIdOf, principalAsCaller, workspaceIdOf } from '../authenticate.js';
import { DeniedByField, Explain, toDeniedBy } from '../denied-by.js';
import { callerOf, IdempotencyHeaders } from '../idempotency-key.js';
import { type JsonPieces, jsonArray, jsonObject, type Piece } from '../json-pieces.js';
import { toJsonText } from '../large-body.js';
import type { OriginReader } from '../origin.js';
import { runIdFrom } from '../path-parameters.js';
import { RUN_FIELDS, RunStatus, toRunFields } from '../run-fields.js';
import {
  Choice,
  Count,
  DecisionBody,
  EndReason,
  EndStatus,
  errors,
  LeaseSeconds,
  Name,
  Nullable,
  Payload,
  RunLimitFields,
  ShownRunLimits,
  StepStatus,
  StepType,
  Timestamp,
  toRunLimits,
  Usd,
  Uuid,
} from '../schemas.js';
import type { HttpServer } from '../server-types.js';
import { Reported, Reports, RunParameters, toReported, toReports } from './steps.js';

const CostSource = Choice(COST_SOURCES, { title: 'CostSource' });

export const StartRunBody = Type.Object(
  {
    user_id: Name('The end user that the agent works for'),
    metadata: Type.Optional(Payload),
    lease_seconds: Type.Optional(
      Nullable(
        LeaseSeconds,
        'Instead of `run_lease_seconds` of the workspace; null: as the workspace has set',
      ),
    ),
    limits: Type.Optional(
      Type.Object(RunLimitFields, {
        title: 'StartRunLimits',
        description: 'Only tighten `run_limits` of the workspace: the smaller value applies',
      }),
    ),
    explain: Explain,
  },
  { title: 'StartRun' },
);

export const StartedRun = Type.Object(
  {
    id: Uuid,
    status: Choice(['RUNNING', 'BLOCKED']),
    decision: DecisionBody,
    lease_expires_at: Type.Optional(Nullable(Timestamp, 'Only if the request has `lease_seconds`')),
    denied_by: DeniedByField,
  },
  { title: 'StartedRun' },
);

export const EndRunBody = Type.Object({ status: EndStatus, reports: Reports }, { title: 'EndRun' });

export const EndedRun = Type.Object(
  { id: Uuid, status: EndStatus, ended_at: Timestamp, reported: Reported },
  { title: 'EndedRun' },
);

const StoppedRun = Type.Object(
  {
    id: Uuid,
    status: EndStatus,
    ended_at: Timestamp,
    end_reason: Nullable(EndReason),
  },
  { title: 'StoppedRun' },
);

const HeartbeatBody = Type.Object(
  {
    id: Uuid,
    status: RunStatus,
    lease_expires_at: Nullable(Timestamp, 'null if the run has no lease, or has ended'),
    decision: DecisionBody,
  },
  { title: 'Heartbeat' },
);

const CostPartsBody = Type.Unsafe<Record<string, number> | null>({
  type: ['object', 'null'],
  title: 'CostParts',
  description: 'What each part of the tokens cost, not rounded; null if the cost does not come from a price',
  required: ['input_usd', 'cache_read_usd', 'cache_write_usd', 'output_usd'],
  properties: {
    input_usd: Usd('Prompt tokens that are in no other part'),
    cache_read_usd: Usd('Prompt tokens read from the cache'),
    cache_write_usd: Usd('Prompt tokens written to the cache'),
    output_usd: Usd('Completion tokens'),
  },
});

const StepBody = Type.Object(
  {
    id: Uuid,
    type: StepType,
    status: StepStatus,
    sequence: Type.Integer(),
    model: Nullable(Type.String()),
    tool_name: Nullable(Type.String()),
    prompt_tokens: Nullable(Count()),
    completion_tokens: Nullable(Count()),
    cost_usd: Nullable(Usd('null if the model had no active price')),
    duration_ms: Nullable(Count()),
    input_data: Payload,
    output_data: Payload,
    decision: DecisionBody,
    created_at: Timestamp,
    hold_usd: Nullable(Usd('What the step held when it was created'), 'null: nothing'),
    cost_source: Nullable(
      CostSource,
      'price: tokens and a price; reported: stated by the report; estimated: the hold, because there was no report, or ' +
        'tokens that the client estimated; null without cost',
    ),
    cache_read_tokens: Nullable(Count(), 'Prompt tokens read from the cache of the provider'),
    cache_write_tokens: Nullable(Count(), 'Prompt tokens written to the cache of the provider'),
    reasoning_tokens: Nullable(Count(), 'Completion tokens used for reasoning'),
    cost_parts: CostPartsBody,
    error: Nullable(Type.String(), 'Why the step failed, as reported'),
  },
  { title: 'Step' },
);

const RunBody = Type.Object(
  {
    ...RUN_FIELDS,
    metadata: Payload,
    duration_ms: Count('For a running run, the time until now'),
    limits: ShownRunLimits,
    held_usd: Usd('Open holds of its steps'),
    steps: Type.Array(StepBody),
  },
  { title: 'Run' },
);

export interface RunRoutesOptions {
  readonly engine: Engine;
  readonly runReport: RunReport;
  readonly newId: () => string;
  readonly originOf: OriginReader;
  readonly pieces: JsonPieces;
}

export function runRoutes(server: HttpServer, options: RunRoutesOptions): void {
  const { engine, runReport, newId, originOf, pieces } = options;
  server.post(
    '/v1/runs/',
    {
      config: { auth: 'api-key', access: 'run' },
      schema: {
        operationId: 'startRun',
        summary: 'Start a run',
        description:
          'Evaluates all rules. A denied run is stored as BLOCKED and does not count towards any limit.',
        tags: ['Runs'],
        headers: IdempotencyHeaders,
        body: StartRunBody,
        response: { 201: StartedRun },
      },
    },
    async (request, reply) => {
      const { user_id, metadata, lease_seconds, limits, explain } = request.body;
      const input = {
        id: newId(),
        userId: user_id,
        metadata: toJsonText(metadata),
        leaseSeconds: lease_seconds ?? undefined,
        limits: limits === undefined ? undefined : toRunLimits(limits, 'body/limits'),
      };
      const started = await engine.startRun(callerOf(request), input);
      const { id, status, decision, leaseExpiresAt } = started;
      const lease = lease_seconds == null ? {} : { lease_expires_at: toNullableTimestamp(leaseExpiresAt) };
      return reply.code(201).send({ id, status, decision, ...lease, ...toDeniedBy(explain, started) });
    },
  );

  server.post(
    '/v1/runs/:run_id/end',
    {
      config: { auth: 'api-key', access: 'run' },
      schema: {
        operationId: 'endRun',
        summary: 'End a run',
        description:
          'Frees the concurrency slot of the run. Repeating the request with the same status returns the first response.',
        tags: ['Runs'],
        params: RunParameters,
        headers: IdempotencyHeaders,
        body: EndRunBody,
        response: { 200: EndedRun, ...errors(404) },
      },
    },
    async (request) => {
      const { reports } = request.body;
      const runId = runIdFrom(request.params.run_id);
      const input = { runId, status: request.body.status, reports: toReports(runId, reports) };
      const { id, status, endedAt, reported } = await engine.endRun(callerOf(request), input);
      return { id, status, ended_at: toIsoTimestamp(endedAt), ...toReported(reports, reported) };
    },
  );

  server.post(
    '/v1/runs/:run_id/heartbeat',
    {
      config: { auth: 'api-key', access: 'run' },
      schema: {
        operationId: 'sendHeartbeat',
        summary: 'Renew the lease of a run',
        description:
          'For an agent in a long call; every other write on the run renews the lease, too. The decision is what a new step ' +
          'would get now, so that the kill switch or a stop reaches the agent.',
        tags: ['Runs'],
        params: RunParameters,
        response: { 200: HeartbeatBody, ...errors(404) },
      },
    },
    async (request) => {
      const input = { runId: runIdFrom(request.params.run_id) };
      const { id, status, leaseExpiresAt, decision } = await engine.heartbeat(
        principalAsCaller(request),
        input,
      );
      return { id, status, lease_expires_at: toNullableTimestamp(leaseExpiresAt), decision };
    },
  );

  server.post(
    '/v1/runs/:run_id/stop',
    {
      config: { auth: 'any', access: 'run' },
      schema: {
        operationId: 'stopRun',
        summary: 'Stop a run',
        description:
          'Ends the run as FAILED, with `end_reason` STOPPED. Its agent learns it from its next request. Repeating the ' +
          'request returns the first response; a run that ended otherwise returns 400.',
        tags: ['Runs'],
        params: RunParameters,
        response: { 200: StoppedRun, ...errors(404) },
      },
    },
    async (request) => {
      const runId = runIdFrom(request.params.run_id);
      const input = { runId, entryId: newId(), origin: originOf(request) };
      const { id, status, endedAt, endReason } = await engine.stopRun(principalAsCaller(request), input);
      return { id, status, ended_at: toIsoTimestamp(endedAt), end_reason: endReason };
    },
  );

  server.get(
    '/v1/runs/:run_id',
    {
      config: { auth: 'any', access: 'read-run', showsRuns: true },
      schema: {
        operationId: 'getRun',
        summary: 'Get a run with its steps',
        tags: ['Runs'],
        params: RunParameters,
        response: { 200: RunBody, ...errors(404) },
      },
    },
    async (request, reply) => {
      const key = {
        workspaceId: workspaceIdOf(request),
        runId: runIdFrom(request.params.run_id),
        userId: pinnedUserIdOf(request),
      };
      return pieces.send(reply, key.workspaceId, async () => toRunText(await runReport.detail(key)));
    },
  );
}

/** Serializes a `RunBody`. */
function toRunText({ run, steps, now }: RunDetail): AsyncGenerator<Piece> {
  const fields = toRunFields(run);
  const { id, user_id, status, started_at, ended_at, total_tokens, total_cost_usd } = fields;
  const head = jsonObject({
    id: JSON.stringify(id),
    user_id: JSON.stringify(user_id),
    status: JSON.stringify(status),
    metadata: run.metadata ?? 'null',
    started_at: JSON.stringify(started_at),
    ended_at: JSON.stringify(ended_at),
    total_tokens: String(total_tokens),
    total_cost_usd: String(total_cost_usd),
    duration_ms: String(durationOfRun(run, now)),
    end_reason: JSON.stringify(fields.end_reason),
    lease_expires_at: JSON.stringify(fields.lease_expires_at),
    limits: JSON.stringify(shownRunLimits(run.limits)),
    held_usd: String(picoUsdToNumber(run.heldPicoUsd)),
    steps: '[',
  }).slice(0, -1);
  return jsonArray(steps, toStepPieces, { before: head, after: ']}' });
}

/** Serializes a `StepBody`. */
function toStepPieces({ inputData, outputData, ...step }: ListedStep): readonly Piece[] {
  const head = jsonObject({
    id: JSON.stringify(step.id),
    type: JSON.stringify(step.type),
    status: JSON.stringify(step.status),
    sequence: String(step.sequence),
    model: JSON.stringify(step.model),
    tool_name: JSON.stringify(step.toolName),
    prompt_tokens: String(step.promptTokens),
    completion_tokens: String(step.completionTokens),
    cost_usd: step.costPicoUsd === null ? 'null' : String(picoUsdToNumber(step.costPicoUsd)),
    duration_ms: String(step.durationMs),
    input_data: '',
  }).slice(0, -1);
  const tail = jsonObject({
    decision: JSON.stringify({ outcome: step.decision.outcome, reason: step.decision.reason }),
    created_at: JSON.stringify(toIsoTimestamp(step.createdAt)),
    hold_usd: step.holdPicoUsd === null ? 'null' : String(picoUsdToNumber(step.holdPicoUsd)),
    cost_source: JSON.stringify(costSourceOf(step)),
    cache_read_tokens: String(step.cacheReadTokens),
    cache_write_tokens: String(step.cacheWriteTokens),
    reasoning_tokens: String(step.reasoningTokens),
    cost_parts: toCostPartsText(step),
    error: JSON.stringify(step.error),
  }).slice(1);
  return [head, inputData ?? 'null', ',"output_data":', outputData ?? 'null', ',', tail];
}

/** All digits, of which a double may not hold all. */
function toCostPartsText(step: Omit<ListedStep, 'inputData' | 'outputData'>): string {
  const { prices, promptTokens, completionTokens } = step;
  if (prices === null || promptTokens === null || completionTokens === null) return 'null';
  const parts = costPartsOf({ promptTokens, completionTokens }, step, prices);
  return jsonObject({
    input_usd: attoUsdToText(parts.inputAttoUsd),
    cache_read_usd: attoUsdToText(parts.cacheReadAttoUsd),
    cache_write_usd: attoUsdToText(parts.cacheWriteAttoUsd),
    output_usd: attoUsdToText(parts.outputAttoUsd),
  });
}
