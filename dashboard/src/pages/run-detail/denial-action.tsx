import type { ReactNode, RefObject } from 'react';
import { isAllowed, type Need } from '../../session/rights.ts';
import { useRights } from '../../session/use-rights.ts';
import classes from './denial-actions.module.css';

const WHO: Readonly<Record<Exclude<Need, 'audit'>, string>> = {
  change: 'An owner or an admin',
  own: 'An owner',
};

interface DenialActionProps {
  /** What has changed since the denial; null if nothing has, undefined while that is not known. */
  readonly since: string | null | undefined;
  readonly needs: keyof typeof WHO;
  /** What a member who may can do, after "can". */
  readonly help: string;
  /** The controls of a member who may. */
  readonly children: ReactNode;
  /** For every member, before the controls. */
  readonly link?: ReactNode;
  readonly outcomeRef?: RefObject<HTMLDivElement | null>;
}

/** What lifts a denial, for members who may; what would help, for others; or what has changed since. */
export function DenialAction({ since, needs, help, children, link, outcomeRef }: DenialActionProps) {
  const { role } = useRights();
  return (
    <div>
      {since === null && role !== null && (
        <div className={classes.actions}>
          {link}
          {isAllowed(role, needs) ? (
            children
          ) : (
            <p className={classes.text}>
              {WHO[needs]} of the workspace can {help}.
            </p>
          )}
        </div>
      )}
      <div role="status" tabIndex={-1} className={classes.outcome} {...(outcomeRef && { ref: outcomeRef })}>
        {since != null && (
          <p className={classes.text}>
            <strong>{since}</strong> The decision above stays as it was made.
          </p>
        )}
      </div>
    </div>
  );
}
