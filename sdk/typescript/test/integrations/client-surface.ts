/** Lists all methods reachable from a client, and determines whether the guard stops a call. */

import { StepDenied, UnguardedCall } from '../../src/index.js';

export interface SurfaceMethod {
  /** For example `chat.completions.create`. */
  readonly name: string;
  call(given: readonly unknown[]): unknown;
}

/** The methods of the client and of its resources, which are the objects that refer to the client. */
export function surfaceOf(client: object): SurfaceMethod[] {
  return methodsOf(client, client, '');
}

function methodsOf(owner: object, client: object, prefix: string): SurfaceMethod[] {
  const methods: SurfaceMethod[] = [];
  for (const name of namesOf(owner)) {
    const value = propertyOf(owner, name);
    if (typeof value === 'function') {
      methods.push({ name: `${prefix}${name}`, call: (given) => Reflect.apply(value, owner, given) });
    } else if (typeof value === 'object' && value !== null && propertyOf(value, '_client') === client) {
      methods.push(...methodsOf(value, client, `${prefix}${name}.`));
    }
  }
  return methods;
}

function namesOf(owner: object): Set<string> {
  const names = new Set<string>();
  let level: object | null = owner;
  while (level !== null && level !== Object.prototype) {
    for (const name of Object.getOwnPropertyNames(level)) names.add(name);
    level = Object.getPrototypeOf(level);
  }
  names.delete('constructor');
  return names;
}

/** Does not call accessors; returns undefined for them. */
function propertyOf(owner: object, name: string): unknown {
  let level: object | null = owner;
  while (level !== null) {
    const descriptor = Object.getOwnPropertyDescriptor(level, name);
    if (descriptor !== undefined) return descriptor.value;
    level = Object.getPrototypeOf(level);
  }
  return undefined;
}

/** Whether the guard stopped the call, as opposed to an error of the client about the arguments. */
export async function isStopped(call: () => unknown): Promise<boolean> {
  try {
    await outcomeOf(call());
    return false;
  } catch (error) {
    return isGuardError(error);
  }
}

/** Streams and runners start when they are read. */
async function outcomeOf(result: unknown): Promise<unknown> {
  if (typeof result !== 'object' || result === null) return result;
  if ('then' in result) return result;
  if ('done' in result && typeof result.done === 'function') return result.done();
  if (Symbol.asyncIterator in result) {
    const iterable = result as AsyncIterable<unknown>;
    return iterable[Symbol.asyncIterator]().next();
  }
  return result;
}

/** The stream helpers wrap errors; the original error is the cause. */
function isGuardError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error instanceof UnguardedCall || error instanceof StepDenied || isGuardError(error.cause);
}
