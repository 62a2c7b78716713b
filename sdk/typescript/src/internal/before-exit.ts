interface NodeProcess {
  on?(event: 'beforeExit', listener: () => void): unknown;
  off?(event: 'beforeExit', listener: () => void): unknown;
}

/** All clients share one listener, because Node.js warns of more than ten. */
const callbacks = new Set<() => void>();

const callAll = (): void => {
  for (const callback of callbacks) callback();
};

/**
 * Calls back when the process has nothing left to do. Requests that the callback sends keep the process alive. Returns
 * a function that removes the callback, or null if the runtime has no such event.
 */
export function beforeExit(callback: () => void): (() => void) | null {
  const { process } = globalThis as { process?: NodeProcess };
  if (typeof process?.on !== 'function') return null;
  if (callbacks.size === 0) process.on('beforeExit', callAll);
  callbacks.add(callback);
  return () => {
    callbacks.delete(callback);
    if (callbacks.size === 0) process.off?.('beforeExit', callAll);
  };
}
