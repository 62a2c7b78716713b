import { VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './data-table.module.css';

export interface Column<Row> {
  /** Unique in its table. */
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers and buttons are aligned to the end. */
  readonly align?: 'end';
  /** Hidden in a narrow table. Another cell may repeat the content in an element of class `narrow-only`. */
  readonly wide?: boolean;
  /** Class of the cells, not of the header. */
  readonly className?: string | undefined;
  readonly isHeaderHidden?: boolean;
  readonly isRowHeader?: boolean;
}

export interface TableProps<Row> {
  /** The accessible name of the table. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly rowClassOf?: (row: Row) => string | undefined;
}

/** A table that scrolls horizontally. A link or button of class `row-target` receives the clicks of its whole row. */
export function DataTable<Row>(props: TableProps<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
    <section className={classes.scroll} tabIndex={0} aria-label={props.label}>
      <table className={classes.table}>
        <TableContent {...props} />
      </table>
    </section>
  );
}

/** A table for screen readers only, in place of a chart. */
export function HiddenTable<Row>(props: TableProps<Row>) {
  return (
    <VisuallyHidden>
      <table>
        <caption>{props.label}</caption>
        <TableContent {...props} />
      </table>
    </VisuallyHidden>
  );
}

function TableContent<Row>({ columns, rows, keyOf, rowClassOf }: TableProps<Row>) {
  return (
    <>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.header} scope="col" className={classOf(column)}>
              {column.isHeaderHidden ? <VisuallyHidden>{column.header}</VisuallyHidden> : column.header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} className={rowClassOf?.(row)}>
            {columns.map((column) => {
              const Cell = column.isRowHeader ? 'th' : 'td';
              return (
                <Cell
                  key={column.header}
                  scope={column.isRowHeader ? 'row' : undefined}
                  className={classOf(column, column.className)}
                >
                  {column.cell(row)}
                </Cell>
              );
            })}
          </tr>
        ))}
      </tbody>
    </>
  );
}

function classOf<Row>({ align, wide }: Column<Row>, className?: string): string | undefined {
  return [align && 'numeric', wide && 'wide-only', className].filter(Boolean).join(' ') || undefined;
}
