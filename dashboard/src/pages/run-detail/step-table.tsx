import { type Column, DataTable } from '../../components/data-table.tsx';
import { Money } from '../../components/money.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Tokens } from '../../components/tokens.tsx';
import { denialOf } from '../../format/guardrails.ts';
import { formatDuration } from '../../format/time.ts';
import { StepCost } from './step-cost.tsx';
import { STEP_TYPE_LABELS, subjectOf } from './step-name.ts';
import classes from './step-table.module.css';
import type { Step } from './step-timeline.ts';

export function StepTable({ steps, onOpen }: { steps: readonly Step[]; onOpen: (stepId: string) => void }) {
  const hasHolds = steps.some(({ hold_usd }) => hold_usd !== null);
  const columns = columnsOf(onOpen).filter((column) => hasHolds || column !== HOLD);
  return <DataTable label="Steps" columns={columns} rows={steps} keyOf={({ id }) => id} />;
}

/** Absent where no step has one. */
const HOLD: Column<Step> = {
  header: 'Hold',
  align: 'end',
  wide: true,
  cell: ({ hold_usd }) => (hold_usd === null ? '–' : <Money usd={hold_usd} />),
};

const columnsOf = (onOpen: (stepId: string) => void): readonly Column<Step>[] => [
  { header: '#', align: 'end', className: classes.sequence, cell: ({ sequence }) => sequence },
  {
    header: 'Step',
    cell: (step) => (
      <>
        <button type="button" className={`row-target ${classes.open}`} onClick={() => onOpen(step.id)}>
          {STEP_TYPE_LABELS[step.type]}
        </button>{' '}
        <span className={classes.subject}>{subjectOf(step)}</span>
      </>
    ),
  },
  {
    header: 'Status',
    cell: ({ status, decision: { reason } }) => (
      <>
        <StatusBadge status={status} />
        {reason !== null && <div className={classes.reason}>{denialOf(reason).label}</div>}
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
