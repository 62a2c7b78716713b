import type { Schemas } from '../../api/api-client.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Notice } from '../../components/notice.tsx';
import { ResetTime } from '../../components/reset-time.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { amountFormatOf, denialOf, describeDenial, describeHolds, ruleOf } from '../../format/guardrails.ts';
import classes from './decision-detail.module.css';
import { DenialActions } from './denial-actions.tsx';
import type { DeniedRequest } from './denied-request.ts';

type Decision = Schemas['ExplainedDecision'];
type Rule = Schemas['RuleEvaluation'];

const RULE_COLUMNS: readonly Column<Rule>[] = [
  { header: 'Rule', cell: ({ rule }) => ruleOf(rule).label },
  {
    header: 'Result',
    cell: ({ result }) => (
      <span className={classes.result} data-result={result}>
        {result === 'PASS' ? 'Pass' : 'Deny'}
      </span>
    ),
  },
  { header: 'Value', align: 'end', cell: (rule) => <ComparedValue rule={rule} /> },
  { header: 'Limit', align: 'end', cell: comparedLimit },
  { header: 'Resets', wide: true, cell: ({ resets_at: at }) => (at === null ? '–' : <ResetTime iso={at} />) },
];

interface DecisionDetailProps extends Pick<DeniedRequest, 'userId' | 'model'> {
  readonly decision: Decision;
  /** Called when a dialog of an action opens, and after it has disappeared. */
  readonly onDialog: (isOpen: boolean) => void;
}

/** Every rule that was evaluated, the values it compared, and the one that denied, with what would lift the denial. */
export function DecisionDetail({ decision, userId, model, onDialog }: DecisionDetailProps) {
  const { reason } = decision;
  const rule = decision.rules.find(({ result }) => result === 'DENY');
  return (
    <div className={classes.decision}>
      {reason === null ? (
        <Notice tone="good" title="Allowed: every rule passed" />
      ) : (
        <>
          <Notice tone="warning" title={`Denied: ${denialOf(reason).label.toLowerCase()}`} icon="stop">
            {describeDenial(reason, rule)}
          </Notice>
          <DenialActions denied={{ reason, rule, userId, model }} onDialog={onDialog} />
        </>
      )}
      {decision.rules.length > 0 && (
        <div className={classes.rules}>
          <DataTable label="Rules" columns={RULE_COLUMNS} rows={decision.rules} keyOf={({ rule }) => rule} />
        </div>
      )}
      <p className={classes.when}>
        Decided <Timestamp iso={decision.decided_at} isExact />. Rules after the first “Deny” are not
        evaluated.
      </p>
    </div>
  );
}

/** The value and, below, what counts in addition. */
function ComparedValue({ rule }: { rule: Rule }) {
  return (
    <>
      {comparedValue(rule)}
      {describeHolds(rule, amountFormatOf(rule)).map((words) => (
        <div key={words} className={classes.hold}>
          + {words}
        </div>
      ))}
    </>
  );
}

function comparedValue(evaluation: Rule): string {
  const { rule, value } = evaluation;
  if (rule === 'hold_required' || rule === 'model_price') return value === true ? 'Missing' : 'Given';
  if (typeof value === 'boolean') return value ? 'On' : 'Off';
  return amountFormatOf(evaluation)(value);
}

function comparedLimit(evaluation: Rule): string {
  const { rule, limit } = evaluation;
  if (limit === null) return ruleOf(rule).unit === 'switch' ? '–' : 'None';
  return amountFormatOf(evaluation)(limit);
}
