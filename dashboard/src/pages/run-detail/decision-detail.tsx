import type { Schemas } from '../../api/api-client.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Notice } from '../../components/notice.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { formatCount } from '../../format/count.ts';
import { DENY_REASON_LABELS, type DenyReason, RULE_LABELS } from '../../format/deny-reason.ts';
import { formatUsd } from '../../format/money.ts';
import classes from './decision-detail.module.css';

type Decision = Schemas['ExplainedDecision'];
type Rule = Schemas['RuleEvaluation'];

/** The cause of a denial and the page where it can be changed. */
const REMEDIES: Readonly<Record<DenyReason, { text: string; href: string | null; link: string }>> = {
  KILL_SWITCH_ACTIVE: {
    text: 'All runs and steps are denied while it is on.',
    href: '/guardrails',
    link: 'Kill switch',
  },
  USER_BLOCKED: {
    text: 'All runs and steps of this user are denied until the user is unblocked.',
    href: '/users?blocked=true',
    link: 'Blocked users',
  },
  WORKSPACE_DAILY_BUDGET_EXCEEDED: {
    text: 'The workspace had reached its budget for the day.',
    href: '/guardrails',
    link: 'Budgets',
  },
  USER_DAILY_BUDGET_EXCEEDED: {
    text: 'This user had reached the budget for the day.',
    href: '/guardrails',
    link: 'Budgets',
  },
  MONTHLY_RUN_LIMIT_EXCEEDED: {
    text: 'The workspace had used all runs of its plan for the month.',
    href: '/settings#plan',
    link: 'Plan',
  },
  MAX_CONCURRENT_RUNS_EXCEEDED: {
    text: 'The maximum number of runs was already running.',
    href: '/guardrails',
    link: 'Concurrency',
  },
  RUN_ALREADY_ENDED: { text: 'The agent requested a step after it had ended the run.', href: null, link: '' },
};

const RULE_COLUMNS: readonly Column<Rule>[] = [
  { header: 'Rule', cell: ({ rule }) => RULE_LABELS[rule] },
  {
    header: 'Result',
    cell: ({ result }) => (
      <span className={classes.result} data-result={result}>
        {result === 'PASS' ? 'Pass' : 'Deny'}
      </span>
    ),
  },
  { header: 'Value', align: 'end', cell: comparedValue },
  { header: 'Limit', align: 'end', cell: comparedLimit },
  { header: 'Resets', wide: true, cell: ({ resets_at: at }) => (at === null ? '–' : <Timestamp iso={at} />) },
];

/** Every rule that was evaluated, the values it compared, and the one that denied. */
export function DecisionDetail({ decision }: { decision: Decision }) {
  return (
    <div className={classes.decision}>
      {decision.reason === null ? (
        <Notice tone="good" title="Allowed: every rule passed" />
      ) : (
        <Denial reason={decision.reason} />
      )}
      {decision.rules.length > 0 && (
        <div className={classes.rules}>
          <DataTable label="Rules" columns={RULE_COLUMNS} rows={decision.rules} keyOf={({ rule }) => rule} />
        </div>
      )}
      <p className={classes.when}>
        Decided <Timestamp iso={decision.decided_at} />. Rules after the first “Deny” are not evaluated.
      </p>
    </div>
  );
}

function Denial({ reason }: { reason: DenyReason }) {
  const { text, href, link } = REMEDIES[reason];
  return (
    <Notice tone="warning" title={`Denied: ${DENY_REASON_LABELS[reason].toLowerCase()}`} icon="stop">
      {text} {href !== null && <TextLink href={href}>{link}</TextLink>}
    </Notice>
  );
}

function isBudget({ rule }: Rule): boolean {
  return rule === 'workspace_daily_budget' || rule === 'user_daily_budget';
}

function comparedValue(rule: Rule): string {
  if (typeof rule.value === 'boolean') return rule.value ? 'On' : 'Off';
  return isBudget(rule) ? formatUsd(rule.value) : formatCount(rule.value);
}

function comparedLimit(rule: Rule): string {
  if (rule.limit === null) return typeof rule.value === 'boolean' ? '–' : 'None';
  return isBudget(rule) ? formatUsd(rule.limit) : formatCount(rule.limit);
}
