import { type RefObject, useRef, useState } from 'react';

interface Draft {
  readonly text: string;
  /** What was saved when the person began. */
  readonly base: string;
}

export interface DraftField {
  readonly text: string;
  readonly isChanged: boolean;
  /** Whether another value was saved elsewhere since the person began. */
  readonly isOutdated: boolean;
  readonly inputProps: {
    readonly ref: RefObject<HTMLInputElement | null>;
    readonly value: string;
    readonly onFocus: () => void;
    readonly onBlur: () => void;
  };
  readonly type: (text: string) => void;
  /** The submitted text was saved; what was typed since then stays. */
  readonly settle: (saved: { readonly submitted: string; readonly now: string }) => void;
}

/** The text of a field that shows what is saved. From the focus on it belongs to the person: a refresh does not touch it. */
export function useDraft(saved: string): DraftField {
  const [draft, setDraft] = useState<Draft | null>(null);
  const ref = useRef<HTMLInputElement>(null);
  const text = draft?.text ?? saved;
  return {
    text,
    isChanged: text.trim() !== saved,
    isOutdated: draft !== null && draft.base !== saved && draft.text.trim() !== saved,
    inputProps: {
      ref,
      value: text,
      onFocus: () => setDraft((current) => current ?? { text: saved, base: saved }),
      onBlur: () => setDraft((current) => (current?.text === current?.base ? null : current)),
    },
    type: (typed) => setDraft((current) => ({ text: typed, base: current?.base ?? saved })),
    settle: ({ submitted, now }) => {
      const hasFocus = document.activeElement === ref.current;
      setDraft((current) => {
        if (current !== null && current.text !== submitted) return { ...current, base: now };
        return hasFocus ? { text: now, base: now } : null;
      });
    },
  };
}
