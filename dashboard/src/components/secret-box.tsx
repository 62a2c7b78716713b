import { CodeBlock } from './code-block.tsx';
import { Notice } from './notice.tsx';
import classes from './secret-box.module.css';

/** A key that is shown this once. */
export function SecretBox({ secret }: { secret: string }) {
  return (
    <Notice tone="warning" icon="key" title="Copy this key now: it is shown this once">
      <div className={classes.secret}>
        <CodeBlock label="API key" code={secret} />
      </div>
    </Notice>
  );
}
