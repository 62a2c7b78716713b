import { useCallback, useEffect, useRef, useState } from 'react';

export interface SearchState {
  readonly opened: boolean;
  /** Whether it was ever opened. */
  readonly requested: boolean;
  readonly open: () => void;
  readonly close: () => void;
}

/** The search opens by a button, and by ⌘K or Ctrl+K. */
export function useSearch(onOpen: () => void): SearchState {
  const [opened, setOpened] = useState(false);
  const [requested, setRequested] = useState(false);
  const beforeOpen = useRef(onOpen);
  beforeOpen.current = onOpen;
  const open = useCallback(() => {
    beforeOpen.current();
    setRequested(true);
    setOpened(true);
  }, []);
  const close = useCallback(() => setOpened(false), []);
  useEffect(() => {
    const openByKeys = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      open();
    };
    window.addEventListener('keydown', openByKeys);
    return () => window.removeEventListener('keydown', openByKeys);
  }, [open]);
  return { opened, requested, open, close };
}
