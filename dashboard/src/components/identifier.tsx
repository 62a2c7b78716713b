import type { ReactNode } from 'react';
import { CopyIcon } from './copy-button.tsx';
import classes from './identifier.module.css';

/** Longer ones may not fit into three lines of a narrow table. */
const MAX_PLAIN_LENGTH = 32;

interface IdentifierProps {
  readonly text: string;
  /** What it is, for example "user ID". */
  readonly label: string;
  /** The text with its link or button, where it has one. */
  readonly children?: ReactNode;
}

/** A name or ID, which may have hundreds of characters: a long one is cut after three lines, and has a button that copies all of it. */
export function Identifier({ text, label, children = text }: IdentifierProps) {
  if (text.length <= MAX_PLAIN_LENGTH) return <span className={classes.plain}>{children}</span>;
  return (
    <span className={classes.long}>
      <span className={classes.cut} title={text}>
        {children}
      </span>
      <CopyIcon text={text} label={label} />
    </span>
  );
}
