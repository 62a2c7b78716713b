import { Skeleton } from '@mantine/core';
import classes from './table-skeleton.module.css';

/** The place of a table whose rows are on their way. */
export function TableSkeleton({ rows }: { rows: number }) {
  return (
    <div className={classes.rows} role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike.
        <Skeleton key={row} height={14} width={`${88 - ((row * 17) % 40)}%`} radius="sm" />
      ))}
    </div>
  );
}
