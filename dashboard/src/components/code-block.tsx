import { Button, CopyButton } from '@mantine/core';
import classes from './code-block.module.css';
import { Icon } from './icon.tsx';

/** Preformatted text with a copy button. */
export function CodeBlock({ label, code }: { label: string; code: string }) {
  return (
    <div className={classes.block}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard. */}
      <section className={classes.code} tabIndex={0} aria-label={label}>
        <pre className={classes.text}>{code}</pre>
      </section>
      <CopyButton value={code} timeout={1_500}>
        {({ copied, copy }) => (
          <Button
            className={classes.copy}
            size="compact-xs"
            variant="default"
            onClick={copy}
            aria-label={`Copy: ${label}`}
            leftSection={<Icon name={copied ? 'check' : 'copy'} size={13} />}
          >
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </div>
  );
}
