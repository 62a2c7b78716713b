import { Button, VisuallyHidden } from '@mantine/core';
import { type MouseEvent, useEffect, useState } from 'react';
import classes from './copy-button.module.css';
import { copyText } from './copy-text.ts';
import { Icon } from './icon.tsx';

const SHOWN_MS = 1_500;

type Outcome = 'copied' | 'failed';

const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  copied: 'Copied',
  failed: 'Not copied: select the text',
};

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, after "Copy". */
  readonly label: string;
  readonly className?: string | undefined;
}

export function CopyButton({ text, label, className = '' }: CopyButtonProps) {
  const { outcome, copy } = useCopy(text);
  const words = outcome === null ? 'Copy' : OUTCOME_WORDS[outcome];
  return (
    <>
      <Button
        className={className}
        size="compact-xs"
        variant="default"
        onClick={copy}
        aria-label={`${words}: ${label}`}
        leftSection={<Icon name={outcome === 'copied' ? 'check' : 'copy'} size={13} />}
      >
        {words}
      </Button>
      <OutcomeStatus outcome={outcome} />
    </>
  );
}

/** A small button without words, within a line of text. */
export function CopyIcon({ text, label }: Omit<CopyButtonProps, 'className'>) {
  const { outcome, copy } = useCopy(text);
  return (
    <>
      <button
        type="button"
        className={classes.icon}
        onClick={copy}
        aria-label={`Copy: ${label}`}
        title={outcome === null ? `Copy the ${label}` : OUTCOME_WORDS[outcome]}
      >
        <Icon name={outcome === null ? 'copy' : outcome === 'copied' ? 'check' : 'warning'} size={14} />
      </button>
      <OutcomeStatus outcome={outcome} />
    </>
  );
}

function OutcomeStatus({ outcome }: { outcome: Outcome | null }) {
  return <VisuallyHidden role="status">{outcome !== null && OUTCOME_WORDS[outcome]}</VisuallyHidden>;
}

function useCopy(text: string) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async ({ currentTarget }: MouseEvent<HTMLElement>) => {
    setOutcome((await copyText(text, currentTarget)) ? 'copied' : 'failed');
  };
  return { outcome, copy: (event: MouseEvent<HTMLElement>) => void copy(event) };
}
