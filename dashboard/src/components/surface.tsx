import type { ReactNode } from 'react';
import classes from './surface.module.css';

/** A plain surface for a list that the page's own heading names. */
export function Surface({ children }: { children: ReactNode }) {
  return <div className={classes.surface}>{children}</div>;
}
