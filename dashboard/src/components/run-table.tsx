import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Schemas } from '../api/api-client.ts';
import { formatCount, formatQuantity } from '../format/count.ts';
import { runEndOf } from '../format/end-reason.ts';
import { denialOf } from '../format/guardrails.ts';
import { formatDuration } from '../format/time.ts';
import type { Column } from './data-table.tsx';
import { Identifier } from './identifier.tsx';
import { Money } from './money.tsx';
import { QueryTable, type QueryTableProps } from './query-table.tsx';
import classes from './run-table.module.css';
import { StatusBadge } from './status-badge.tsx';
import { Timestamp } from './timestamp.tsx';
import { Tokens } from './tokens.tsx';
import { useNow } from './use-now.ts';

type RunListItem = Schemas['RunListItem'];
interface RunTableProps extends Omit<QueryTableProps<RunListItem>, 'columns' | 'keyOf' | 'rowClassOf'> {
  /** A control at the end of each row. */
  readonly actionOf?: ((run: RunListItem) => ReactNode) | undefined;
}

export function RunTable({ actionOf, ...props }: RunTableProps) {
  const now = useNow(1_000);
  const columns = actionOf === undefined ? columnsAt(now) : [...columnsAt(now), actionColumn(actionOf)];
  return <QueryTable {...props} columns={columns} keyOf={({ id }) => id} />;
}

const columnsAt = (now: number): readonly Column<RunListItem>[] => [
  { header: 'Status', cell: (run) => <StatusBadge status={run.status} detail={outcomeOf(run)} /> },
  {
    header: 'User',
    className: classes.user,
    cell: (run) => (
      <>
        <Identifier text={run.user_id} label="user ID">
          <Link
            href={`/runs/${run.id}`}
            className={`row-target ${classes.link}`}
            aria-label={[`Run of ${run.user_id}`, run.status, outcomeOf(run)].filter(isText).join(', ')}
          >
            {run.user_id}
          </Link>
        </Identifier>
        <span className={`narrow-only ${classes.started}`}>
          <Timestamp iso={run.started_at} relative />
        </span>
      </>
    ),
  },
  {
    header: 'Started',
    wide: true,
    className: classes.started,
    cell: (run) => <Timestamp iso={run.started_at} relative />,
  },
  { header: 'Duration', align: 'end', wide: true, cell: (run) => durationOf(run, now) },
  { header: 'Steps', align: 'end', wide: true, cell: (run) => formatCount(run.step_count) },
  { header: 'Tokens', align: 'end', wide: true, cell: (run) => <Tokens count={run.total_tokens} /> },
  { header: 'Cost', align: 'end', cell: (run) => <RunCost run={run} /> },
];

function actionColumn(actionOf: (run: RunListItem) => ReactNode): Column<RunListItem> {
  return {
    header: 'Actions',
    isHeaderHidden: true,
    align: 'end',
    cell: (run) => <span className={classes.action}>{actionOf(run)}</span>,
  };
}

function isText(part: string | null): part is string {
  return part !== null;
}

/** Why it was denied, why the service ended it, or how many of its steps were denied. */
function outcomeOf({ deny_reason, end_reason, denied_step_count }: RunListItem): string | null {
  if (deny_reason !== null) return denialOf(deny_reason).label.toLowerCase();
  if (end_reason !== null) return runEndOf(end_reason).short;
  return denied_step_count === 0 ? null : formatQuantity(denied_step_count, 'denied step');
}

/**
 * Tokens without a cost are shown as unpriced: the list says neither whether their price was zero, nor how many tokens of a run with
 * a cost had none.
 */
function RunCost({ run }: { run: RunListItem }) {
  if (run.status === 'BLOCKED') return '–';
  if (run.total_cost_usd > 0 || run.total_tokens === 0) return <Money usd={run.total_cost_usd} />;
  return (
    <span
      className="unpriced"
      title="None of these tokens had a price when they were reported, or their price was zero"
    >
      no price
    </span>
  );
}

function durationOf(run: RunListItem, now: number): string {
  if (run.status === 'BLOCKED') return '–';
  const end = run.ended_at === null ? now : Date.parse(run.ended_at);
  return formatDuration(Math.max(0, end - Date.parse(run.started_at)));
}
