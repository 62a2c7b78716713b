/**
 * Holds back the timers with one delay until a test moves the time. All other timers run as usual, because the service
 * in the same process and `fetch` need them.
 */

import { vi } from 'vitest';

interface HeldTimer {
  readonly dueAtMs: number;
  readonly callback: () => void;
  unref(): void;
}

export interface HeldTimers {
  advance(milliseconds: number): void;
  restore(): void;
}

export function holdTimers(heldDelayMs: number): HeldTimers {
  const { setTimeout, clearTimeout } = globalThis;
  const timers = new Set<unknown>();
  let nowMs = 0;
  vi.stubGlobal('setTimeout', (callback: () => void, delayMs?: number, ...given: []) => {
    if (delayMs !== heldDelayMs) return setTimeout(callback, delayMs, ...given);
    const timer: HeldTimer = { dueAtMs: nowMs + delayMs, callback, unref: () => {} };
    timers.add(timer);
    return timer;
  });
  vi.stubGlobal('clearTimeout', (timer: Parameters<typeof clearTimeout>[0]) => {
    if (!timers.delete(timer)) clearTimeout(timer);
  });
  return {
    advance: (milliseconds) => {
      nowMs += milliseconds;
      for (const timer of [...timers] as HeldTimer[]) {
        if (timer.dueAtMs <= nowMs && timers.delete(timer)) timer.callback();
      }
    },
    restore: () => vi.unstubAllGlobals(),
  };
}
