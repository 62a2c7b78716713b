/** What a step holds. The option of the step precedes that of its run, and that the one of the client. */

import type { CreateStep } from '../api-types.js';
import { ConfigurationError } from '../errors.js';
import { estimateTokens, type HoldBound, type ModelRequest } from '../usage/estimate-tokens.js';
import { roundUsd } from './usd.js';

/**
 * `'auto'` holds what the request of a model call may cost, if the request is known. A number holds that many USD.
 * `'off'` holds nothing.
 */
export type Hold = 'auto' | 'off' | number;

export interface HoldOptions {
  /** What each model call holds. Default: `'auto'`. Tools hold nothing unless the step says so. */
  readonly hold?: Hold | undefined;
  /** How `'auto'` counts the prompt: three bytes of text a token (the default), or one byte a token, an upper bound. */
  readonly holdBound?: HoldBound | undefined;
  /** What `'auto'` assumes for a request that does not limit its completion. Default: 4,096. */
  readonly defaultMaxTokens?: number | undefined;
}

export type HoldSettings = { readonly [Name in keyof HoldOptions]-?: NonNullable<HoldOptions[Name]> };

export const DEFAULT_HOLD: HoldSettings = { hold: 'auto', holdBound: 'estimate', defaultMaxTokens: 4_096 };

export function toHoldSettings(given: HoldOptions, inherited: HoldSettings): HoldSettings {
  const {
    hold = inherited.hold,
    holdBound = inherited.holdBound,
    defaultMaxTokens = inherited.defaultMaxTokens,
  } = given;
  if (holdBound !== 'estimate' && holdBound !== 'bound') {
    throw new ConfigurationError(`holdBound must be 'estimate' or 'bound': ${holdBound}`);
  }
  if (!Number.isSafeInteger(defaultMaxTokens) || defaultMaxTokens < 0) {
    throw new ConfigurationError(`defaultMaxTokens must be an integer of at least 0: ${defaultMaxTokens}`);
  }
  return { hold: requireHold(hold), holdBound, defaultMaxTokens };
}

export type HeldFields = Pick<
  CreateStep,
  'estimatedCostUsd' | 'estimatedPromptTokens' | 'maxCompletionTokens'
>;

export interface HeldStep {
  readonly type: CreateStep['type'];
  readonly hold?: Hold | undefined;
  readonly request?: ModelRequest | (() => ModelRequest) | undefined;
}

/** The fields of the request for a step. */
export function toHeldFields({ type, hold: own, request }: HeldStep, settings: HoldSettings): HeldFields {
  const isModelCall = type === 'MODEL_CALL';
  const hold = own === undefined ? (isModelCall ? settings.hold : 'off') : requireHold(own);
  if (typeof hold === 'number') return { estimatedCostUsd: roundUsd(hold) };
  if (hold === 'off' || !isModelCall || request === undefined) return {};
  const { promptTokens, completionTokens } = estimateTokens(
    typeof request === 'function' ? request() : request,
    settings,
  );
  return { estimatedPromptTokens: promptTokens, maxCompletionTokens: completionTokens };
}

function requireHold(hold: Hold): Hold {
  if (hold === 'auto' || hold === 'off' || (Number.isFinite(hold) && hold >= 0)) return hold;
  throw new ConfigurationError(`hold must be 'auto', 'off' or an amount in USD: ${hold}`);
}
