import { type RefObject, useRef, useState } from 'react';

interface Draft {
  readonly text: string;
  /** The saved value when editing began. */
  readonly base: string;
}

export interface DraftField {
  readonly text: string;
  readonly isChanged: boolean;
  /** Whether someone else saved a different value since editing began. */
  readonly isOutdated: boolean;
  readonly inputProps: {
    readonly ref: RefObject<HTMLInputElement | null>;
    readonly value: string;
    readonly onFocus: () => void;
    readonly onBlur: () => void;
  };
  readonly setText: (text: string) => void;
  /** Call after a save. Text entered since the submit is kept. */
  readonly markSaved: (saved: { readonly submitted: string; readonly now: string }) => void;
}

/** The text of a field that shows a saved value. A refresh does not change it while it has focus or unsaved text. */
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
    setText: (typed) => setDraft((current) => ({ text: typed, base: current?.base ?? saved })),
    markSaved: ({ submitted, now }) => {
      const hasFocus = document.activeElement === ref.current;
      setDraft((current) => {
        if (current !== null && current.text !== submitted) return { ...current, base: now };
        return hasFocus ? { text: now, base: now } : null;
      });
    },
  };
}
