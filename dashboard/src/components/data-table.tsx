import type { ReactNode } from 'react';
import classes from './data-table.module.css';

interface DataTableProps {
  /** What the table lists, for screen readers. */
  readonly label: string;
  readonly head: ReactNode;
  readonly children: ReactNode;
}

/** A table that scrolls sideways when it must; `wide-only` is left out where it is narrow, `narrow-only` elsewhere. */
export function DataTable({ label, head, children }: DataTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className={classes.scroll} tabIndex={0} aria-label={label}>
      <table className={classes.table}>
        <thead>{head}</thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
