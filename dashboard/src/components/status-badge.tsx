import classes from './status-badge.module.css';

const LABELS = {
  RUNNING: 'Running',
  COMPLETED: 'Completed',
  FAILED: 'Failed',
  BLOCKED: 'Blocked',
  ALLOWED: 'In progress',
} as const;

export type Status = keyof typeof LABELS;

/** The status of a run or step. Only a status that needs attention is coloured. */
export function StatusBadge({ status }: { status: Status }) {
  return (
    <span className={classes.badge} data-status={status}>
      <span className={classes.dot} />
      {LABELS[status]}
    </span>
  );
}
