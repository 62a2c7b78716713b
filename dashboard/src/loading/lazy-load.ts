/** Components that load on demand. A failed load reloads the page once and then throws, so no page stays blank. */

import { type ComponentType, lazy } from 'react';
import { connection } from '../api/connection.ts';
import { reloadAttempts } from './reload-attempts.ts';

/** A component failed to load, and a reload either did not help or was impossible without a server. */
export class ChunkLoadError extends Error {
  constructor(name: string, options: ErrorOptions) {
    super(`${name} could not be loaded`, options);
    this.name = 'ChunkLoadError';
  }
}

export function lazyLoad<Name extends string, Props>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
) {
  return lazy(async () => ({ default: (await loadOrReload(load, name))[name] }));
}

async function loadOrReload<Module>(load: () => Promise<Module>, name: string): Promise<Module> {
  try {
    const module = await load();
    reloadAttempts.clear(name);
    return module;
  } catch (cause) {
    // The file is missing although the server is up: after an upgrade, a reload refers to the new files.
    if ((await connection.check()) && reloadAttempts.record(name)) {
      window.location.reload();
      return new Promise(() => {});
    }
    throw new ChunkLoadError(name, { cause });
  }
}
