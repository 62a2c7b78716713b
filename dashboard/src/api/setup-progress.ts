/** What of the set-up of a workspace is done, from what the service says. Pure. */

import type { Role } from '../format/roles.ts';
import { isAllowed, type Need } from '../session/rights.ts';
import type { Schemas } from './api-client.ts';
import { toUnpricedUsage } from './daily-series.ts';

export type SetupStep = 'key' | 'run' | 'prices' | 'budget' | 'denial';

/** In the order in which they are best done. */
const STEPS: readonly { readonly step: SetupStep; readonly needs?: Need }[] = [
  { step: 'key', needs: 'change' },
  { step: 'run' },
  { step: 'prices', needs: 'change' },
  { step: 'budget', needs: 'change' },
  { step: 'denial' },
];

/** Whether each step is done; undefined: the service has not said yet. */
export type SetupFacts = Readonly<Record<SetupStep, boolean | undefined>>;

export interface SetupProgress {
  readonly items: readonly { readonly step: SetupStep; readonly isDone: boolean }[];
  readonly doneCount: number;
  /** The first that is not done; null if all are. */
  readonly next: SetupStep | null;
}

/** Has only the steps that the member may do. Returns null while it is not known. */
export function toSetupProgress(facts: SetupFacts, role: Role | null): SetupProgress | null {
  if (role === null) return null;
  const items = STEPS.filter(({ needs }) => needs === undefined || isAllowed(role, needs)).map(
    ({ step }) => ({ step, isDone: facts[step] }),
  );
  if (!items.every(isKnown)) return null;
  return {
    items,
    doneCount: items.filter(({ isDone }) => isDone).length,
    next: items.find(({ isDone }) => !isDone)?.step ?? null,
  };
}

function isKnown<Item extends { isDone: boolean | undefined }>(
  item: Item,
): item is Item & { isDone: boolean } {
  return item.isDone !== undefined;
}

/** A key that can start runs. */
export function hasAgentKey(keys: readonly Pick<Schemas['ApiKey'], 'is_active' | 'scope'>[]): boolean {
  return keys.some(({ is_active, scope }) => is_active && scope !== 'read');
}

export interface PricedModels {
  /** Models whose tokens have no price, and that have none now. */
  readonly missing: readonly string[];
  /** How many models have been used. */
  readonly usedCount: number;
  readonly isDone: boolean;
}

/** A price that was set after the tokens were reported is enough: it applies to the next ones. */
export function toPricedModels(
  days: readonly Schemas['DailyUsage'][],
  prices: readonly Pick<Schemas['ModelPrice'], 'model'>[],
): PricedModels {
  const priced = new Set(prices.map(({ model }) => model));
  const used = new Set(days.flatMap(({ by_model }) => by_model.map(({ model }) => model)));
  const missing = toUnpricedUsage(days)
    .models.map(({ model }) => model)
    .filter((model) => !priced.has(model));
  return {
    missing,
    usedCount: used.size,
    isDone: missing.length === 0 && (used.size > 0 || priced.size > 0),
  };
}

export function hasBudget(
  workspace: Pick<Schemas['Workspace'], 'daily_budget_usd' | 'user_daily_budget_usd'>,
): boolean {
  return workspace.daily_budget_usd !== null || workspace.user_daily_budget_usd !== null;
}

export function hasDenial(days: readonly Pick<Schemas['DailyUsage'], 'denials'>[]): boolean {
  return days.some(({ denials }) => denials.length > 0);
}
