import type { Schemas } from '../../api/api-client.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Notice } from '../../components/notice.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { formatCount } from '../../format/count.ts';
import { DENY_REASON_LABELS, type DenyReason, RULE_LABELS } from '../../format/deny-reason.ts';
import { formatUsd } from '../../format/money.ts';
import classes from './decision-detail.module.css';

type Decision = Schemas['ExplainedDecision'];
type Rule = Schemas['RuleEvaluation'];

/** What to do about a denial, and where. */
const REMEDIES: Readonly<Record<DenyReason, { text: string; href: string | null; link: string }>> = {
  KILL_SWITCH_ACTIVE: {
    text: 'Nothing is allowed while it is on.',
    href: '/guardrails',
    link: 'Kill switch',
  },
  USER_BLOCKED: {
    text: 'Nothing is allowed for this user until unblocked.',
    href: '/users?blocked=true',
    link: 'Blocked users',
  },
  WORKSPACE_DAILY_BUDGET_EXCEEDED: {
    text: 'Spend of the whole workspace had reached the budget of the day.',
    href: '/guardrails',
    link: 'Budgets',
  },
  USER_DAILY_BUDGET_EXCEEDED: {
    text: 'Spend of this user had reached the budget of the day.',
    href: '/guardrails',
    link: 'Budgets',
  },
  MONTHLY_RUN_LIMIT_EXCEEDED: {
    text: 'The runs of the plan were used up for the month.',
    href: '/settings#plan',
    link: 'Plan',
  },
  MAX_CONCURRENT_RUNS_EXCEEDED: {
    text: 'As many runs as allowed were running at that moment.',
    href: '/guardrails',
    link: 'Concurrency',
  },
  RUN_ALREADY_ENDED: { text: 'The agent asked for a step after it had ended the run.', href: null, link: '' },
};

/** Every rule that was looked at, what it compared, and which one said no. */
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
          <DataTable
            label="Rules"
            head={
              <tr>
                <th scope="col">Rule</th>
                <th scope="col">Result</th>
                <th scope="col" className="numeric">
                  Value
                </th>
                <th scope="col" className="numeric">
                  Limit
                </th>
                <th scope="col" className="wide-only">
                  Resets
                </th>
              </tr>
            }
          >
            {decision.rules.map((rule) => (
              <tr key={rule.rule}>
                <td>{RULE_LABELS[rule.rule]}</td>
                <td>
                  <span className={classes.result} data-result={rule.result}>
                    {rule.result === 'PASS' ? 'Pass' : 'Deny'}
                  </span>
                </td>
                <td className="numeric">{comparedValue(rule)}</td>
                <td className="numeric">{comparedLimit(rule)}</td>
                <td className="wide-only">
                  {rule.resets_at === null ? '–' : <Timestamp iso={rule.resets_at} />}
                </td>
              </tr>
            ))}
          </DataTable>
        </div>
      )}
      <p className={classes.when}>
        Decided <Timestamp iso={decision.decided_at} />. Rules after the first “deny” are not looked at.
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
