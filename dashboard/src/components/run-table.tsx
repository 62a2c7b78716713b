import { Link } from 'wouter';
import type { Schemas } from '../api/api-client.ts';
import { formatCount } from '../format/count.ts';
import { runEndOf } from '../format/end-reason.ts';
import { formatDuration } from '../format/time.ts';
import type { Column } from './data-table.tsx';
import { Money } from './money.tsx';
import { QueryTable, type QueryTableProps } from './query-table.tsx';
import classes from './run-table.module.css';
import { StatusBadge } from './status-badge.tsx';
import { Timestamp } from './timestamp.tsx';
import { Tokens } from './tokens.tsx';
import { useNow } from './use-now.ts';

type RunListItem = Schemas['RunListItem'];
type RunTableProps = Omit<QueryTableProps<RunListItem>, 'columns' | 'keyOf' | 'rowClassOf'>;

export function RunTable(props: RunTableProps) {
  const columns = columnsAt(useNow(1_000));
  return <QueryTable {...props} columns={columns} keyOf={({ id }) => id} />;
}

const columnsAt = (now: number): readonly Column<RunListItem>[] => [
  { header: 'Status', cell: (run) => <StatusBadge status={run.status} endReason={run.end_reason} /> },
  {
    header: 'User',
    className: classes.user,
    cell: ({ id, user_id, status, end_reason, started_at }) => (
      <>
        <Link
          href={`/runs/${id}`}
          className={`row-target ${classes.link}`}
          aria-label={`Run of ${user_id}, ${status}${end_reason === null ? '' : `, ${runEndOf(end_reason).short}`}`}
        >
          {user_id}
        </Link>
        <span className={`narrow-only ${classes.started}`}>
          <Timestamp iso={started_at} relative />
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

/** Tokens without a cost are shown as unpriced: the list does not say whether their price was zero. */
function RunCost({ run }: { run: RunListItem }) {
  if (run.status === 'BLOCKED') return '–';
  if (run.total_cost_usd > 0 || run.total_tokens === 0) return <Money usd={run.total_cost_usd} />;
  return (
    <span className="unpriced" title="None of these tokens had a price when they were reported">
      no price
    </span>
  );
}

function durationOf(run: RunListItem, now: number): string {
  if (run.status === 'BLOCKED') return '–';
  const end = run.ended_at === null ? now : Date.parse(run.ended_at);
  return formatDuration(Math.max(0, end - Date.parse(run.started_at)));
}
