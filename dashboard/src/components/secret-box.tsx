import type { ReactNode } from 'react';
import { CodeBlock } from './code-block.tsx';
import { Notice } from './notice.tsx';
import classes from './secret-box.module.css';

interface SecretBoxProps {
  readonly secret: string;
  /** What it is, for example "API key". */
  readonly label?: string;
  readonly title?: string;
  /** What to do with it. */
  readonly children?: ReactNode;
}

/** A new key or link, which the service shows only once. */
export function SecretBox(props: SecretBoxProps) {
  const { secret, label = 'API key', title = 'Copy this key now. It is not shown again.', children } = props;
  return (
    <Notice tone="warning" icon="key" title={title}>
      {children}
      <div className={classes.secret}>
        <CodeBlock label={label} code={secret} />
      </div>
    </Notice>
  );
}
