/** For which parts this tab was reloaded already: each one only once, until it is there. */

const STORAGE_KEY = 'guarded-runs-reloaded-for';

export const reloadMemory = {
  /** Whether this is the first time; without a memory it never is, because nothing would end the reloads. */
  remember(part: string): boolean {
    const parts = read();
    return !parts.includes(part) && write([...parts, part]);
  },

  forget(part: string): void {
    const parts = read();
    if (parts.includes(part)) write(parts.filter((other) => other !== part));
  },
};

function read(): readonly string[] {
  try {
    const parts: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]');
    return Array.isArray(parts) ? parts.filter((part) => typeof part === 'string') : [];
  } catch {
    return [];
  }
}

function write(parts: readonly string[]): boolean {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(parts));
    return true;
  } catch {
    return false;
  }
}
