import { Skeleton } from '@mantine/core';
import { type ComponentType, Fragment, type ReactNode } from 'react';
import { DataTable, type TableProps } from './data-table.tsx';
import { ErrorNotice } from './error-notice.tsx';
import classes from './query-table.module.css';

export interface QueryTableProps<Row> extends Omit<TableProps<Row>, 'rows'> {
  /** The query that loads the rows. If it is omitted, the page shows errors itself. */
  readonly query?: { readonly error: Error | null; readonly refetch: () => Promise<unknown> };
  /** undefined while loading. */
  readonly rows: readonly Row[] | undefined;
  /** Number of placeholder rows while loading. */
  readonly skeletonRows: number;
  /** Shown instead of a table without rows. */
  readonly empty: ReactNode;
  /** Wraps the table. The error is shown above it. */
  readonly frame?: ComponentType<{ children: ReactNode }>;
  readonly errorClass?: string | undefined;
  /** Rendered after the table, inside the frame. */
  readonly children?: ReactNode;
}

/** A table with the loading, error and empty states of its query. A failed refresh keeps the rows loaded before. */
export function QueryTable<Row>(props: QueryTableProps<Row>) {
  const { query, rows, skeletonRows, empty, frame: Frame = Fragment, errorClass, children, ...table } = props;
  const error = query?.error ?? null;
  return (
    <>
      {error !== null && (
        <div className={errorClass}>
          <ErrorNotice error={error} onRetry={() => void query?.refetch()} />
        </div>
      )}
      <Frame>
        {rows === undefined ? (
          error === null && <TableSkeleton rows={skeletonRows} />
        ) : rows.length === 0 ? (
          empty
        ) : (
          <DataTable {...table} rows={rows} />
        )}
        {children}
      </Frame>
    </>
  );
}

function TableSkeleton({ rows }: { rows: number }) {
  return (
    <div className={classes.skeleton} role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are identical.
        <Skeleton key={row} height={14} width={`${88 - ((row * 17) % 40)}%`} radius="sm" />
      ))}
    </div>
  );
}
