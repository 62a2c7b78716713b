interface DenoTimers {
  unrefTimer?(timer: unknown): void;
}

/** Lets the process exit although the timer is pending, in runtimes where a timer would keep it alive. */
export function unrefTimer(timer: unknown): void {
  if (typeof timer === 'object' && timer !== null && 'unref' in timer) {
    if (typeof timer.unref === 'function') timer.unref();
    return;
  }
  const { Deno } = globalThis as { Deno?: DenoTimers };
  Deno?.unrefTimer?.(timer);
}
