/** The outcome of evaluating the guardrails, with everything needed to explain it later. */

import {
  type Comparison,
  type DenyReason,
  type GuardrailFacts,
  KILL_SWITCH,
  RUN_ALREADY_ENDED,
  RUN_RULES,
  type Rule,
  type RuleName,
  type RunGuardrailFacts,
  STEP_RULES,
  type StepGuardrailFacts,
} from './rules.js';

export const OUTCOMES = ['ALLOW', 'DENY'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export type RuleResult = 'PASS' | 'DENY';

export interface RuleEvaluation extends Omit<Comparison, 'denied'> {
  readonly rule: RuleName;
  readonly result: RuleResult;
}

export interface Decision {
  readonly outcome: Outcome;
  readonly reason: DenyReason | null;
  readonly evaluations: readonly RuleEvaluation[];
}

export function evaluateRunStart(facts: RunGuardrailFacts): Decision {
  return evaluate(RUN_RULES, facts);
}

export function evaluateStep(facts: StepGuardrailFacts): Decision {
  return evaluate(STEP_RULES, facts);
}

/** A step of a run that is not running is denied in any case, but nothing comes before the kill switch. */
export function evaluateLateStep(facts: GuardrailFacts): Decision {
  const decision = evaluate([KILL_SWITCH], facts);
  return decision.outcome === 'DENY'
    ? decision
    : { outcome: 'DENY', reason: RUN_ALREADY_ENDED, evaluations: [] };
}

interface NamedRule<Facts> extends Rule<Facts> {
  readonly name: RuleName;
  readonly reason: DenyReason;
}

/** The first rule that denies ends the evaluation. */
function evaluate<Facts>(rules: readonly NamedRule<Facts>[], facts: Facts): Decision {
  const evaluations: RuleEvaluation[] = [];
  for (const { name, reason, compare } of rules) {
    const comparison = compare(facts);
    if (comparison === null) continue;
    const { denied, limit, value, resetsAt, held, requested } = comparison;
    const result = denied ? 'DENY' : 'PASS';
    evaluations.push(
      held === undefined
        ? { rule: name, result, limit, value, resetsAt }
        : { rule: name, result, limit, value, resetsAt, held, requested: requested ?? null },
    );
    if (denied) return { outcome: 'DENY', reason, evaluations };
  }
  return { outcome: 'ALLOW', reason: null, evaluations };
}

export function toEvaluatedRules(decision: Decision): Partial<Record<RuleName, RuleResult>> {
  return Object.fromEntries(decision.evaluations.map(({ rule, result }) => [rule, result]));
}
