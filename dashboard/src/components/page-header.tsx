import { type ReactNode, useEffect } from 'react';
import { type Need, refusalOf } from '../session/rights.ts';
import { useRights } from '../session/use-rights.ts';
import classes from './page-header.module.css';

interface PageHeaderProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  /** What the controls of the page need: a member who may not use them reads why they are missing. */
  readonly needs?: Need;
}

const HEADING_ID = 'page-heading';
/** A longer one may be cut on a phone. */
const MAX_PLAIN_TITLE_LENGTH = 60;

/** Where keyboard and screen reader users continue after the button that they used has disappeared. */
export function focusPageHeading(): void {
  document.getElementById(HEADING_ID)?.focus();
}

/** The heading of a page. It also sets the document title. */
export function PageHeader({ title, description, actions, needs }: PageHeaderProps) {
  useEffect(() => {
    document.title = `${title} · Guarded Runs`;
  }, [title]);
  return (
    <header className={classes.header}>
      <div>
        <h1
          id={HEADING_ID}
          tabIndex={-1}
          className={classes.title}
          title={title.length > MAX_PLAIN_TITLE_LENGTH ? title : undefined}
        >
          {title}
        </h1>
        {description !== undefined && <p className={classes.description}>{description}</p>}
        {needs !== undefined && <RightsNote needs={needs} />}
      </div>
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
    </header>
  );
}

function RightsNote({ needs }: { needs: Need }) {
  const { role } = useRights();
  return (
    <p className={classes.rights} role="status">
      {refusalOf(role, needs)}
    </p>
  );
}
