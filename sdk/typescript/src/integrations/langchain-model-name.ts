/** Finds the name of a LangChain model, however it was created. Null if LangChain does not expose it. */

import { fieldOf } from '../usage/token-usage.js';

/** Before the call. Models of `initChatModel` may take their name from `configurable` of the call. */
export function modelNameOf(model: unknown, configurable: unknown): string | null {
  // A RunnableBinding, as returned by `withConfig`. The configuration of the call takes precedence.
  const bound = fieldOf(model, 'bound');
  if (bound !== undefined) {
    const own = fieldOf(fieldOf(model, 'config'), 'configurable');
    return modelNameOf(bound, { ...toObject(own), ...toObject(configurable) });
  }
  const steps = fieldOf(model, 'steps');
  if (Array.isArray(steps)) {
    return steps.map((step) => modelNameOf(step, configurable)).find((name) => name !== null) ?? null;
  }
  const defaults = fieldOf(model, '_defaultConfig');
  if (defaults !== undefined) {
    const configured = call(model, '_modelParams', { configurable });
    return asName(fieldOf(configured, 'model')) ?? asName(fieldOf(defaults, 'model'));
  }
  return (
    asName(fieldOf(model, 'model')) ??
    asName(fieldOf(model, 'modelName')) ??
    asName(fieldOf(call(model, 'getLsParams', {}), 'ls_model_name'))
  );
}

/** At the start of the call, from the arguments of the callbacks. */
export function calledModelNameOf(given: {
  extra: Readonly<Record<string, unknown>> | undefined;
  metadata: Readonly<Record<string, unknown>> | undefined;
}): string | null {
  return (
    asName(fieldOf(given.extra?.['invocation_params'], 'model')) ?? asName(given.metadata?.['ls_model_name'])
  );
}

export function asName(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function call(model: unknown, method: string, argument: object): unknown {
  const called = fieldOf(model, method);
  return typeof called === 'function' ? Reflect.apply(called, model, [argument]) : undefined;
}

export function toObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
