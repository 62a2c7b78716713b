import { Link } from 'wouter';
import type { Schemas } from '../api/api-client.ts';
import { formatCount } from '../format/count.ts';
import { formatDuration } from '../format/time.ts';
import { DataTable } from './data-table.tsx';
import { Money } from './money.tsx';
import classes from './run-table.module.css';
import { StatusBadge } from './status-badge.tsx';
import { Timestamp } from './timestamp.tsx';
import { Tokens } from './tokens.tsx';
import { useNow } from './use-now.ts';

type RunListItem = Schemas['RunListItem'];

export function RunTable({ label, runs }: { label: string; runs: readonly RunListItem[] }) {
  const now = useNow(1_000);
  return (
    <DataTable
      label={label}
      head={
        <tr>
          <th scope="col">Status</th>
          <th scope="col">User</th>
          <th scope="col" className="wide-only">
            Started
          </th>
          <th scope="col" className="numeric wide-only">
            Duration
          </th>
          <th scope="col" className="numeric wide-only">
            Steps
          </th>
          <th scope="col" className="numeric wide-only">
            Tokens
          </th>
          <th scope="col" className="numeric">
            Cost
          </th>
        </tr>
      }
    >
      {runs.map((run) => (
        <tr key={run.id} className={classes.row}>
          <td>
            <StatusBadge status={run.status} />
          </td>
          <td className={classes.user}>
            <Link
              href={`/runs/${run.id}`}
              className={classes.link}
              aria-label={`Run of ${run.user_id}, ${run.status}`}
            >
              {run.user_id}
            </Link>
            <span className={`narrow-only ${classes.started}`}>
              <Timestamp iso={run.started_at} relative />
            </span>
          </td>
          <td className={`wide-only ${classes.started}`}>
            <Timestamp iso={run.started_at} relative />
          </td>
          <td className="numeric wide-only">{durationOf(run, now)}</td>
          <td className="numeric wide-only">{formatCount(run.step_count)}</td>
          <td className="numeric wide-only">
            <Tokens count={run.total_tokens} />
          </td>
          <td className="numeric">
            <RunCost run={run} />
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

/** A run whose tokens cost nothing at all had no price for them, as far as anybody can tell. */
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
