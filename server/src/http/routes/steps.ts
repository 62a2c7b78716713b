/** Steps: created before they are executed, updated with their result. */

import Type, { type Static } from 'typebox';
import { errorAt, unprocessable } from '../../domain/app-error.js';
import type { ReportStep } from '../../domain/decide.js';
import type { Estimate } from '../../domain/hold.js';
import { MAX_WHOLE_USD } from '../../domain/money.js';
import { MAX_ERROR_LENGTH, type ReportDetails, type StepReport } from '../../domain/step.js';
import { newStepReport } from '../../domain/step-report.js';
import type { Engine } from '../../engine/engine.js';
import type { ReportReply } from '../../engine/replies.js';
import { hashOfDetails, hashOfInput } from '../../engine/step-fingerprint.js';
import { DeniedByField, Explain, toDeniedBy } from '../denied-by.js';
import { callerOf, IdempotencyHeaders } from '../idempotency-key.js';
import { JsonValue, toJsonText } from '../large-body.js';
import { runIdFrom, stepIdFrom } from '../path-parameters.js';
import {
  Choice,
  DecisionBody,
  EndStatus,
  errors,
  MAX_INT32,
  MAX_TOKENS,
  Name,
  Nullable,
  Payload,
  StepStatus,
  StepType,
  toAmount,
  Usd,
  Uuid,
} from '../schemas.js';
import type { HttpServer } from '../server-types.js';

export const RunParameters = Type.Object({ run_id: Type.String() });
export const StepParameters = Type.Object({ run_id: Type.String(), step_id: Type.String() });

const MAX_REPORTS = 100;

const Amount = (description: string) =>
  Nullable(Type.Integer({ minimum: 0, maximum: MAX_TOKENS }), description);

export const StepReportBody = Type.Object(
  {
    status: EndStatus,
    duration_ms: Type.Optional(Amount('Milliseconds')),
    prompt_tokens: Type.Optional(Amount('Input tokens')),
    completion_tokens: Type.Optional(Amount('Output tokens')),
    cache_read_tokens: Type.Optional(Amount('Prompt tokens that were read from the cache of the provider')),
    cache_write_tokens: Type.Optional(Amount('Prompt tokens that were written to the cache of the provider')),
    reasoning_tokens: Type.Optional(Amount('Completion tokens that were used for reasoning')),
    cost_usd: Type.Optional(
      Nullable(
        Type.Number({ minimum: 0, maximum: MAX_WHOLE_USD }),
        'What the provider or the tool states, instead of the price; at most 12 decimal places',
      ),
    ),
    output_data: Type.Optional(Payload),
    error: Type.Optional(
      Nullable(Type.String({ maxLength: MAX_ERROR_LENGTH }), 'Why the step failed; only with status FAILED'),
    ),
    estimated: Type.Optional(
      Nullable(
        Type.Boolean(),
        'Whether the tokens are an estimate, as of a stream that was broken off; null: no',
      ),
    ),
  },
  { title: 'UpdateStep' },
);

/** Reports that travel with another request, to save a round trip. */
export const Reports = Type.Optional(
  Type.Array(Type.Object({ step_id: Type.String(), ...StepReportBody.properties }, { title: 'StepReport' }), {
    maxItems: MAX_REPORTS,
    description:
      'Updates of steps of this run, applied in order before everything else: all, or none if one is refused',
  }),
);

export const UpdatedStep = Type.Object({ id: Uuid, status: StepStatus }, { title: 'UpdatedStep' });

export const Reported = Type.Optional(
  Type.Array(UpdatedStep, { description: 'Only if the request has `reports`: the response to each' }),
);

export const CreateStepBody = Type.Object(
  {
    type: StepType,
    sequence: Type.Integer({ minimum: 1, maximum: MAX_INT32, description: 'Order within the run, from 1' }),
    model: Type.Optional(Nullable(Name('Model identifier, for MODEL_CALL'))),
    tool_name: Type.Optional(Nullable(Name('Tool identifier, for TOOL_CALL'))),
    input_data: Type.Optional(Payload),
    estimated_cost_usd: Type.Optional(
      Nullable(
        Type.Number({ minimum: 0, maximum: MAX_WHOLE_USD }),
        'What the step costs at most: held until it is reported',
      ),
    ),
    estimated_prompt_tokens: Type.Optional(
      Amount('Instead of the cost, with `max_completion_tokens`: priced with the price of the model'),
    ),
    max_completion_tokens: Type.Optional(Amount('See `estimated_prompt_tokens`')),
    reports: Reports,
    explain: Explain,
  },
  { title: 'CreateStep' },
);

export const CreatedStep = Type.Object(
  {
    id: Uuid,
    status: Choice(['ALLOWED', 'BLOCKED']),
    decision: DecisionBody,
    hold_usd: Type.Optional(
      Nullable(
        Usd('What the step holds or, if it was denied, would have held'),
        'Only if the request has an estimate; null if the model has no price',
      ),
    ),
    remaining_usd: Type.Optional(
      Nullable(
        Usd('The least that a budget or the cost limit of the run leaves for the next decision'),
        'Only if the request has an estimate; null without a limit',
      ),
    ),
    reported: Reported,
    denied_by: DeniedByField,
  },
  { title: 'CreatedStep' },
);

export interface StepRoutesOptions {
  readonly engine: Engine;
  readonly newId: () => string;
}

export function stepRoutes(server: HttpServer, { engine, newId }: StepRoutesOptions): void {
  server.post(
    '/v1/runs/:run_id/steps',
    {
      config: { auth: 'api-key', access: 'run' },
      schema: {
        operationId: 'createStep',
        summary: 'Create a step',
        description:
          'Call it before the step is executed. Evaluates the step rules. A denied step is stored as BLOCKED and does ' +
          'not end its run.',
        tags: ['Runs'],
        params: RunParameters,
        headers: IdempotencyHeaders,
        body: CreateStepBody,
        response: { 201: CreatedStep, ...errors(404) },
      },
    },
    async (request, reply) => {
      const { type, sequence, model, tool_name, input_data, reports, explain } = request.body;
      const runId = runIdFrom(request.params.run_id);
      const created = await engine.createStep(callerOf(request), {
        id: newId(),
        runId,
        type,
        sequence,
        model: model ?? null,
        toolName: tool_name ?? null,
        inputData: toJsonText(input_data),
        inputHash: input_data instanceof JsonValue ? input_data.hash : undefined,
        estimate: toEstimate(request.body),
        reports: toReports(runId, reports),
      });
      const { id, status, decision, hold, reported } = created;
      const held = hold === undefined ? {} : { hold_usd: hold.usd, remaining_usd: hold.remainingUsd };
      const explained = { decision, ...toDeniedBy(explain, created) };
      return reply.code(201).send({ id, status, ...explained, ...held, ...toReported(reports, reported) });
    },
  );

  server.patch(
    '/v1/runs/:run_id/steps/:step_id',
    {
      config: { auth: 'api-key', access: 'run' },
      schema: {
        operationId: 'updateStep',
        summary: 'Update a step with its result',
        description:
          'Computes the cost of the tokens and adds it to the spend of today. Repeating the same update returns the first ' +
          'response and counts nothing twice. An update is accepted after the run has ended, so that no cost is lost.',
        tags: ['Runs'],
        params: StepParameters,
        headers: IdempotencyHeaders,
        body: StepReportBody,
        response: { 200: UpdatedStep, ...errors(404) },
      },
    },
    async (request) => {
      const step = await engine.reportStep(callerOf(request), {
        runId: runIdFrom(request.params.run_id),
        stepId: stepIdFrom(request.params.step_id),
        report: toStepReport(request.body, 'body/'),
      });
      return step;
    },
  );
}

/** Undefined if the request has none. */
function toEstimate(body: Static<typeof CreateStepBody>): Estimate | undefined {
  const promptTokens = body.estimated_prompt_tokens ?? null;
  const completionTokens = body.max_completion_tokens ?? null;
  const costPicoUsd = toAmount(body.estimated_cost_usd, 'body/estimated_cost_usd') ?? null;
  if ((promptTokens === null) !== (completionTokens === null))
    throw unprocessable('body must have both or none of estimated_prompt_tokens and max_completion_tokens');
  if (costPicoUsd !== null && promptTokens !== null)
    throw unprocessable('body must have either estimated_cost_usd or estimated_prompt_tokens');
  if (costPicoUsd !== null) return { costPicoUsd };
  return promptTokens === null || completionTokens === null ? undefined : { promptTokens, completionTokens };
}

function toStepReport(body: Static<typeof StepReportBody>, path = ''): StepReport {
  const { status, duration_ms, prompt_tokens, completion_tokens } = body;
  return newStepReport({
    status,
    durationMs: duration_ms ?? null,
    promptTokens: prompt_tokens ?? null,
    completionTokens: completion_tokens ?? null,
    details: toReportDetails(body, path),
  });
}

/** Null if the report has none. */
function toReportDetails(body: Static<typeof StepReportBody>, path: string): ReportDetails | null {
  const { cache_read_tokens, cache_write_tokens, reasoning_tokens, cost_usd, output_data, error } = body;
  const isPlain =
    cache_read_tokens == null &&
    cache_write_tokens == null &&
    reasoning_tokens == null &&
    cost_usd == null &&
    output_data == null &&
    error == null &&
    body.estimated !== true;
  if (isPlain) return null;
  const details = {
    cacheReadTokens: cache_read_tokens ?? null,
    cacheWriteTokens: cache_write_tokens ?? null,
    reasoningTokens: reasoning_tokens ?? null,
    statedPicoUsd: toAmount(cost_usd, `${path}cost_usd`) ?? null,
    isEstimated: body.estimated === true,
    error: error ?? null,
    outputData: toJsonText(output_data),
  };
  return { ...details, hash: hashOfDetails(details, hashOfPayload(output_data)) };
}

function hashOfPayload(value: Record<string, unknown> | null | undefined): string | null {
  if (value == null) return null;
  return value instanceof JsonValue ? value.hash : hashOfInput(value);
}

type ReportBodies = Static<typeof Reports> | undefined;

/** Undefined if the request has none. */
export function toReports(runId: string, bodies: ReportBodies): ReportStep[] | undefined {
  return bodies?.map(({ step_id, ...body }, index) => {
    try {
      return { runId, stepId: stepIdFrom(step_id), report: toStepReport(body) };
    } catch (error) {
      throw errorAt(`body/reports/${index}`, error);
    }
  });
}

/** For the response: empty only if the request has an empty list. */
export function toReported(
  bodies: ReportBodies,
  reported: readonly ReportReply[] = [],
): { reported?: ReportReply[] } {
  return bodies === undefined ? {} : { reported: [...reported] };
}
