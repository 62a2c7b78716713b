import { type ReactNode, useEffect, useId, useRef } from 'react';
import classes from './panel.module.css';

interface PanelProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly action?: ReactNode;
  readonly children: ReactNode;
  /** Removes the inner padding, for tables and lists. */
  readonly flush?: boolean;
  /** For links to the panel: `#id`. */
  readonly id?: string;
}

/** A titled surface and a landmark for screen readers. */
export function Panel({ title, description, action, children, flush = false, id }: PanelProps) {
  const headingId = useId();
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    // The panel renders after the navigation, so the browser does not find the section of the hash by itself.
    if (id !== undefined && window.location.hash === `#${id}`) section.current?.scrollIntoView();
  }, [id]);
  return (
    <section ref={section} className={classes.panel} aria-labelledby={headingId} id={id}>
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
