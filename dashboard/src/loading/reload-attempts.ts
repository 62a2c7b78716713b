/** The components for which this tab was reloaded. Each one is reloaded at most once until it loads. */

const STORAGE_KEY = 'guarded-runs-reloaded-for';

export const reloadAttempts = {
  /** Returns whether this is the first attempt. False without storage, because reloads would never end. */
  record(name: string): boolean {
    const names = read();
    return !names.includes(name) && write([...names, name]);
  },

  clear(name: string): void {
    const names = read();
    if (names.includes(name)) write(names.filter((other) => other !== name));
  },
};

function read(): readonly string[] {
  try {
    const names: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]');
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
  } catch {
    return [];
  }
}

function write(names: readonly string[]): boolean {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(names));
    return true;
  } catch {
    return false;
  }
}
