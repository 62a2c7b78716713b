/** Parts of the dashboard that are loaded when they are needed. One that cannot be loaded never leaves a blank page. */

import { type ComponentType, lazy } from 'react';
import { connection } from '../api/connection.ts';
import { reloadMemory } from './reload-memory.ts';

/** A part could not be loaded, also after a reload or because there is no server to load it from. */
export class MissingPartError extends Error {
  constructor(part: string, options: ErrorOptions) {
    super(`${part} could not be loaded`, options);
    this.name = 'MissingPartError';
  }
}

export function lazyPart<Name extends string, Props>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
) {
  return lazy(async () => ({ default: (await loadOrReload(load, name))[name] }));
}

async function loadOrReload<Module>(load: () => Promise<Module>, name: string): Promise<Module> {
  try {
    const part = await load();
    reloadMemory.forget(name);
    return part;
  } catch (cause) {
    // The server is there and the file is not: it was upgraded, and a new page names the new files.
    if ((await connection.check()) && reloadMemory.remember(name)) {
      window.location.reload();
      return new Promise(() => {});
    }
    throw new MissingPartError(name, { cause });
  }
}
