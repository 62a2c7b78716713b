import type { ReactNode } from 'react';
import classes from './surface.module.css';

/** A plain surface for a list. The page heading serves as its title. */
export function Surface({ children }: { children: ReactNode }) {
  return <div className={classes.surface}>{children}</div>;
}
