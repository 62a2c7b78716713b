import { useEffect, useRef } from 'react';
import { useSearchParameters } from '../../components/use-search-parameters.ts';

/** Marks the entries of the history that were added by opening a step. */
const OPENED = 'opened step';

interface OpenStep {
  /** null if no step is open. */
  readonly stepId: string | null;
  readonly open: (stepId: string) => void;
  readonly close: () => void;
}

/** The step in the URL. Opening one adds an entry to the history, so that Back closes it; closing it goes back. */
export function useOpenStep(): OpenStep {
  const [parameters, setParameters] = useSearchParameters();
  const stepId = parameters.get('step');
  const isClosing = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the step has been closed or opened when it changes.
  useEffect(() => {
    isClosing.current = false;
  }, [stepId]);
  const open = (wanted: string) => {
    const next = new URLSearchParams(parameters);
    next.set('step', wanted);
    setParameters(next, { state: OPENED });
  };
  const close = () => {
    // The browser goes back a moment later: a second call must not leave the page.
    if (isClosing.current) return;
    isClosing.current = true;
    if (window.history.state === OPENED) {
      window.history.back();
      return;
    }
    const next = new URLSearchParams(parameters);
    next.delete('step');
    setParameters(next, { replace: true });
  };
  return { stepId, open, close };
}
