import { CodeBlock } from './code-block.tsx';
import { Notice } from './notice.tsx';
import classes from './secret-box.module.css';

/** A new key, which the service shows only once. */
export function SecretBox({ secret }: { secret: string }) {
  return (
    <Notice tone="warning" icon="key" title="Copy this key now. It is not shown again.">
      <div className={classes.secret}>
        <CodeBlock label="API key" code={secret} />
      </div>
    </Notice>
  );
}
