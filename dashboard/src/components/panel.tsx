import { type ReactNode, useId } from 'react';
import classes from './panel.module.css';

interface PanelProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly action?: ReactNode;
  readonly children: ReactNode;
  /** Removes the inner padding, for tables and lists. */
  readonly flush?: boolean;
  readonly id?: string;
}

/** A titled surface and a landmark for screen readers. */
export function Panel({ title, description, action, children, flush = false, id }: PanelProps) {
  const headingId = useId();
  return (
    <section className={classes.panel} aria-labelledby={headingId} id={id}>
      <div className={classes.head}>
        <div>
          <h2 className={classes.title} id={headingId}>
            {title}
          </h2>
          {description !== undefined && <p className={classes.description}>{description}</p>}
        </div>
        {action}
      </div>
      <div className={flush ? classes.flush : classes.body}>{children}</div>
    </section>
  );
}
