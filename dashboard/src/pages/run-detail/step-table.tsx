import type { RunStatus } from '../../api/queries.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Identifier } from '../../components/identifier.tsx';
import { Money } from '../../components/money.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Tokens } from '../../components/tokens.tsx';
import { formatCount } from '../../format/count.ts';
import { denialOf } from '../../format/guardrails.ts';
import { formatDuration } from '../../format/time.ts';
import { StepCost } from './step-cost.tsx';
import { stepUsdFormat } from './step-hold.ts';
import { STEP_TYPE_LABELS, statusOf, subjectOf } from './step-name.ts';
import classes from './step-table.module.css';
import type { Step } from './step-timeline.ts';

interface StepTableProps {
  readonly steps: readonly Step[];
  readonly runStatus: RunStatus;
  readonly onOpen: (stepId: string) => void;
}

export function StepTable({ steps, runStatus, onOpen }: StepTableProps) {
  const hasHolds = steps.some(({ hold_usd }) => hold_usd !== null);
  const columns = columnsOf(runStatus, onOpen).filter((column) => hasHolds || column !== HOLD);
  return <DataTable label="Steps" columns={columns} rows={steps} keyOf={({ id }) => id} />;
}

/** Absent where no step has one. */
const HOLD: Column<Step> = {
  header: 'Hold',
  align: 'end',
  wide: true,
  cell: (step) => (step.hold_usd === null ? '–' : <Money usd={step.hold_usd} format={stepUsdFormat(step)} />),
};

function Subject({ step }: { step: Step }) {
  const subject = subjectOf(step);
  if (subject === null) return null;
  return (
    <span className={classes.subject}>
      <Identifier text={subject} label={step.model === null ? 'name of the tool' : 'name of the model'} />
    </span>
  );
}

const columnsOf = (runStatus: RunStatus, onOpen: StepTableProps['onOpen']): readonly Column<Step>[] => [
  { header: '#', align: 'end', className: classes.sequence, cell: ({ sequence }) => formatCount(sequence) },
  {
    header: 'Step',
    cell: (step) => (
      <>
        <button type="button" className={`row-target ${classes.open}`} onClick={() => onOpen(step.id)}>
          {STEP_TYPE_LABELS[step.type]}
        </button>{' '}
        <Subject step={step} />
      </>
    ),
  },
  {
    header: 'Status',
    cell: (step) => (
      <>
        <StatusBadge status={statusOf(step, runStatus)} />
        {step.decision.reason !== null && (
          <div className={classes.reason}>{denialOf(step.decision.reason).label}</div>
        )}
      </>
    ),
  },
  {
    header: 'Duration',
    align: 'end',
    wide: true,
    cell: ({ duration_ms }) => (duration_ms === null ? '–' : formatDuration(duration_ms)),
  },
  { header: 'Prompt', align: 'end', wide: true, cell: (step) => <Tokens count={step.prompt_tokens} /> },
  {
    header: 'Completion',
    align: 'end',
    wide: true,
    cell: (step) => <Tokens count={step.completion_tokens} />,
  },
  HOLD,
  { header: 'Cost', align: 'end', cell: (step) => <StepCost step={step} /> },
];
