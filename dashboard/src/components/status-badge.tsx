import classes from './status-badge.module.css';

const LABELS = {
  RUNNING: 'Running',
  COMPLETED: 'Completed',
  FAILED: 'Failed',
  BLOCKED: 'Blocked',
  ALLOWED: 'In progress',
  /** Not a status of the service: a step that was in progress when its run ended. */
  UNREPORTED: 'No report',
} as const;

export type Status = keyof typeof LABELS;

export function statusLabelOf(status: Status): string {
  return LABELS[status];
}

interface StatusBadgeProps {
  readonly status: Status;
  /** After the status, for example "lease ended". */
  readonly detail?: string | null;
}

/** The status of a run or step. Only a status that needs attention is coloured. */
export function StatusBadge({ status, detail = null }: StatusBadgeProps) {
  return (
    <span className={classes.badge} data-status={status}>
      <span className={classes.dot} />
      <span>
        {statusLabelOf(status)}
        {detail !== null && (
          <span className={classes.reason}>
            <span className={classes.separator}> · </span>
            {detail}
          </span>
        )}
      </span>
    </span>
  );
}
