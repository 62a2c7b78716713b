/** The stored form of a decision's evaluations: one short JSON array per rule, since every step carries one. */

import type { Decision, DenyReason, RuleEvaluation, RuleName, RuleResult } from '../domain/decision.js';

type EvaluationTuple = [RuleName, RuleResult, number | null, number | boolean, number | null];

export function toRulesText(decision: Decision): string {
  return JSON.stringify(
    decision.evaluations.map(
      ({ rule, result, limit, value, resetsAt }): EvaluationTuple => [rule, result, limit, value, resetsAt],
    ),
  );
}

export function toDecision(reason: string | null, rulesText: string): Decision {
  const evaluations = (JSON.parse(rulesText) as EvaluationTuple[]).map(
    ([rule, result, limit, value, resetsAt]): RuleEvaluation => ({ rule, result, limit, value, resetsAt }),
  );
  return { outcome: reason === null ? 'ALLOW' : 'DENY', reason: reason as DenyReason | null, evaluations };
}
