import classes from './code-block.module.css';
import { CopyButton } from './copy-button.tsx';

/** Preformatted text with a copy button. */
export function CodeBlock({ label, code }: { label: string; code: string }) {
  return (
    <div className={classes.block}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard. */}
      <section className={classes.code} tabIndex={0} aria-label={label}>
        <pre className={classes.text}>{code}</pre>
      </section>
      <CopyButton text={code} label={label} className={classes.copy} />
    </div>
  );
}
