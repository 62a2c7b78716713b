import { useState } from 'react';

export interface DialogIntent<Intent> {
  /** null: the dialog is closed. */
  readonly intent: Intent | null;
  /** The intent, also while the dialog is on its way out of sight. */
  readonly shown: Intent | null;
  readonly open: (intent: Intent) => void;
  readonly close: () => void;
}

/** What a dialog was opened for. It is decided when the dialog opens; nothing that happens meanwhile changes it. */
export function useIntent<Intent>(): DialogIntent<Intent> {
  const [intent, setIntent] = useState<Intent | null>(null);
  const [last, setLast] = useState<Intent | null>(null);
  return {
    intent,
    shown: intent ?? last,
    // A second press on the button that opened it, before it has the focus, is for the first dialog.
    open: (wanted) => setIntent((current) => current ?? wanted),
    close: () => {
      setLast(intent);
      setIntent(null);
    },
  };
}
