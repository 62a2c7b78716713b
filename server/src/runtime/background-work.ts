/** Work that repeats in the background: one pass at a time, without keeping the process alive. */

export interface BackgroundWork {
  /** No pass begins from now on; one in progress learns it from `isStopped`. */
  stop(): void;
}

export function repeatInBackground(given: {
  readonly intervalMs: number;
  readonly work: (isStopped: () => boolean) => Promise<unknown>;
  readonly onError: (error: unknown) => void;
}): BackgroundWork {
  const { intervalMs, work, onError } = given;
  let isStopped = false;
  let isRunning = false;
  const timer = setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    work(() => isStopped)
      .catch(onError)
      .finally(() => {
        isRunning = false;
      });
  }, intervalMs);
  timer.unref();
  return {
    stop: () => {
      isStopped = true;
      clearInterval(timer);
    },
  };
}
