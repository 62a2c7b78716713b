/** Explains every decision of a run: the limit and the value that each rule compared. */

import Type, { type Static } from 'typebox';
import type { RunDecisions, RunReport } from '../../control/run-report.js';
import { type Decision, toEvaluatedRules } from '../../domain/decision.js';
import { toIsoTimestamp } from '../../domain/period.js';
import { pinnedUserIdOf, workspaceIdOf } from '../authenticate.js';
import { ComparedFields } from '../denied-by.js';
import { type JsonPieces, jsonArray, type Piece } from '../json-pieces.js';
import { runIdFrom } from '../path-parameters.js';
import { Choice, DenyReason, errors, Nullable, Outcome, Timestamp, Uuid } from '../schemas.js';
import type { HttpServer } from '../server-types.js';

const RuleResult = Choice(['PASS', 'DENY'], { title: 'RuleResult' });

const RuleBody = Type.Object(
  {
    ...ComparedFields,
    result: RuleResult,
    held: Type.Optional(Type.Number({ description: 'Open holds, in USD; absent without any' })),
    requested: Type.Optional(
      Nullable(Type.Number(), 'What the step would hold, in USD; null without an estimate'),
    ),
  },
  { title: 'RuleEvaluation' },
);

const ExplainedDecision = Type.Object(
  {
    subject: Choice(['run', 'step'], { description: 'What was decided: a run start or a step' }),
    step_id: Nullable(Uuid, 'null for the start of the run'),
    outcome: Outcome,
    reason: Nullable(DenyReason),
    evaluated_rules: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: RuleResult,
      description: 'By rule name; rules after the first DENY are absent',
    }),
    rules: Type.Array(RuleBody),
    decided_at: Timestamp,
  },
  { title: 'ExplainedDecision' },
);

export function runDecisionRoutes(
  server: HttpServer,
  { runReport, pieces }: { runReport: RunReport; pieces: JsonPieces },
): void {
  server.get(
    '/v1/runs/:run_id/decisions',
    {
      config: { auth: 'any', access: 'read-run' },
      schema: {
        operationId: 'listRunDecisions',
        summary: 'Explain every decision of a run',
        description:
          'Returns the decisions in the order in which they were made, with the limit and the value of each rule.',
        tags: ['Runs'],
        params: Type.Object({ run_id: Type.String() }),
        response: { 200: Type.Array(ExplainedDecision), ...errors(404) },
      },
    },
    async (request, reply) => {
      const key = {
        workspaceId: workspaceIdOf(request),
        runId: runIdFrom(request.params.run_id),
        userId: pinnedUserIdOf(request),
      };
      return pieces.send(reply, key.workspaceId, async () => toDecisionsText(await runReport.decisions(key)));
    },
  );
}

function toDecisionsText({ run, decisions }: RunDecisions): AsyncGenerator<Piece> {
  const start = { stepId: null, decision: run.decision, decidedAt: run.startedAt };
  const all = startingWith<ExplainedDecisionFacts>(start, decisions);
  return jsonArray(all, (decision) => JSON.stringify(toApiDecision(decision)));
}

async function* startingWith<Item>(
  first: Item,
  chunks: AsyncIterable<readonly Item[]>,
): AsyncGenerator<readonly Item[]> {
  yield [first];
  yield* chunks;
}

interface ExplainedDecisionFacts {
  /** null for the start of the run. */
  readonly stepId: string | null;
  readonly decision: Decision;
  readonly decidedAt: number;
}

function toApiDecision({
  stepId,
  decision,
  decidedAt,
}: ExplainedDecisionFacts): Static<typeof ExplainedDecision> {
  return {
    subject: stepId === null ? 'run' : 'step',
    step_id: stepId,
    outcome: decision.outcome,
    reason: decision.reason,
    evaluated_rules: toEvaluatedRules(decision),
    rules: decision.evaluations.map(({ rule, result, limit, value, resetsAt, held, requested }) => ({
      rule,
      result,
      limit,
      value,
      resets_at: resetsAt === null ? null : toIsoTimestamp(resetsAt),
      ...(held === undefined ? {} : { held, requested: requested ?? null }),
    })),
    decided_at: toIsoTimestamp(decidedAt),
  };
}
