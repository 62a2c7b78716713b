import { type RefCallback, type RefObject, useCallback, useEffect, useRef } from 'react';
import { type DialogIntent, useIntent } from '../../components/use-intent.ts';

interface DenialDialog<Intent> {
  readonly dialog: DialogIntent<Intent>;
  /** For the button that opens the dialog. */
  readonly buttonRef: RefCallback<HTMLButtonElement>;
  /** For the element that says what has changed. */
  readonly outcomeRef: RefObject<HTMLDivElement | null>;
  /** For the dialog. */
  readonly onClosed: () => void;
}

/**
 * The dialog of an action that lifts a denial. Keyboard and screen reader users continue at what has changed, because the button that
 * they used disappears. `onDialog` is told when the dialog opens and closes.
 */
export function useDenialDialog<Intent>(onDialog: (isOpen: boolean) => void): DenialDialog<Intent> {
  const dialog = useIntent<Intent>();
  const outcomeRef = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const buttonRef = useCallback((element: HTMLButtonElement | null) => {
    button.current = element;
    return () => {
      button.current = null;
      if (element !== null && document.activeElement === element) outcomeRef.current?.focus();
    };
  }, []);
  useEffect(() => () => onDialog(false), [onDialog]);
  return {
    dialog: {
      ...dialog,
      open: (intent) => {
        onDialog(true);
        dialog.open(intent);
      },
    },
    buttonRef,
    outcomeRef,
    onClosed: () => {
      onDialog(false);
      // At once: the button may disappear before the dialog itself would return the focus to it.
      (button.current ?? outcomeRef.current)?.focus();
    },
  };
}
