/** The tokens of a step or a run in the parts that have prices of their own, with what each part cost. Pure. */

import { sumUsd } from '../../format/money.ts';
import type { Step } from './step-timeline.ts';

/** Parts of tokens, and costs that are known only as a whole, by where they come from. */
export type PartName = TokenPartName | WholeCostName;
type TokenPartName = 'input' | 'cache_read' | 'cache_write' | 'output';
type WholeCostName = NonNullable<Step['cost_source']>;

export interface TokenPart {
  readonly name: PartName;
  /** null: the cost is not that of tokens. */
  readonly tokens: number | null;
  /** Of the tokens of this part. */
  readonly reasoningTokens: number;
  /** Tokens of this part whose cost is not known, or not known by part. */
  readonly uncostedTokens: number;
  /** null: no token of this part has a cost of its own. */
  readonly usd: number | null;
}

type PartStep = Pick<
  Step,
  | 'prompt_tokens'
  | 'completion_tokens'
  | 'cache_read_tokens'
  | 'cache_write_tokens'
  | 'reasoning_tokens'
  | 'cost_usd'
  | 'cost_source'
  | 'cost_parts'
>;

/**
 * The parts of all steps together. The cache has parts only where it was used. A cost that was stated or estimated as a whole is
 * a part of its own, without tokens.
 */
export function tokenPartsOf(steps: readonly PartStep[]): TokenPart[] {
  const counted = steps.filter(
    ({ prompt_tokens, completion_tokens }) => prompt_tokens !== null || completion_tokens !== null,
  );
  const whole = steps.filter(({ cost_usd, cost_parts }) => cost_usd !== null && cost_parts === null);
  const parts = (['input', 'cache_read', 'cache_write', 'output'] as const).map((name) =>
    partOf(name, counted),
  );
  return [
    ...parts.filter(({ name, tokens }) => counted.length > 0 && (!isCache(name) || tokens !== 0)),
    ...(['reported', 'estimated', 'price'] as const).flatMap((source) => wholeCosts(source, whole)),
  ];
}

function isCache(name: PartName): boolean {
  return name === 'cache_read' || name === 'cache_write';
}

function partOf(name: TokenPartName, steps: readonly PartStep[]): TokenPart {
  const costs = steps.flatMap(({ cost_parts }) => (cost_parts === null ? [] : [cost_parts[`${name}_usd`]]));
  const tokens = sumTokens(steps, name);
  const uncosted = sumTokens(
    steps.filter(({ cost_parts }) => cost_parts === null),
    name,
  );
  return {
    name,
    tokens,
    reasoningTokens:
      name === 'output' ? steps.reduce((sum, { reasoning_tokens }) => sum + (reasoning_tokens ?? 0), 0) : 0,
    uncostedTokens: uncosted,
    usd: costs.length === 0 ? null : sumUsd(costs),
  };
}

function sumTokens(steps: readonly PartStep[], name: TokenPartName): number {
  return steps.reduce((sum, step) => sum + tokensIn(step, name), 0);
}

function tokensIn(step: PartStep, name: TokenPartName): number {
  const read = step.cache_read_tokens ?? 0;
  const write = step.cache_write_tokens ?? 0;
  switch (name) {
    case 'input':
      return (step.prompt_tokens ?? 0) - read - write;
    case 'cache_read':
      return read;
    case 'cache_write':
      return write;
    case 'output':
      return step.completion_tokens ?? 0;
  }
}

/** Old steps have a price without its parts. */
function wholeCosts(source: WholeCostName, steps: readonly PartStep[]): TokenPart[] {
  const costs = steps
    .filter(({ cost_source }) => cost_source === source)
    .map(({ cost_usd }) => cost_usd ?? 0);
  if (costs.length === 0) return [];
  return [{ name: source, tokens: null, reasoningTokens: 0, uncostedTokens: 0, usd: sumUsd(costs) }];
}
