import { useState } from 'react';

export interface DialogIntent<Intent> {
  /** null while the dialog is closed. */
  readonly intent: Intent | null;
  /** Like `intent`, but kept during the closing transition. */
  readonly shown: Intent | null;
  readonly open: (intent: Intent) => void;
  readonly close: () => void;
}

/** The purpose of a dialog. It is fixed when the dialog opens; later changes to the data do not affect it. */
export function useIntent<Intent>(): DialogIntent<Intent> {
  const [intent, setIntent] = useState<Intent | null>(null);
  const [last, setLast] = useState<Intent | null>(null);
  return {
    intent,
    shown: intent ?? last,
    // A second click on the button that opened the dialog must not change its intent.
    open: (wanted) => setIntent((current) => current ?? wanted),
    close: () => {
      setLast(intent);
      setIntent(null);
    },
  };
}
