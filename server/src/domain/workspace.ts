/** A workspace: the tenant, its plan and its guardrail settings, and how an operator may change them. */

import { DEFAULT_LEASE_SECONDS } from './lease.js';
import type { PicoUsd } from './money.js';
import { BASIC_MAX_CONCURRENT_RUNS, type Feature, hasFeature, type Plan, planRefusal } from './plan.js';
import { NO_RUN_LIMITS, type RunLimits } from './run-limits.js';

export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly plan: Plan;
  readonly killSwitch: boolean;
  /** null: not enforced. */
  readonly dailyBudgetPicoUsd: PicoUsd | null;
  /** The same cap for every user; null: not enforced. */
  readonly userDailyBudgetPicoUsd: PicoUsd | null;
  readonly maxConcurrentRuns: number;
  /** The lease of runs that do not ask for their own; null: they never expire. */
  readonly runLeaseSeconds: number | null;
  readonly runLimits: RunLimits;
  /** Tools whose calls are never repeats, because they poll. */
  readonly repeatExemptTools: readonly string[];
  /** Whether a model call without a hold is denied. */
  readonly requireHolds: boolean;
  /** Whether a call of a model without an active price is denied. */
  readonly denyUnpricedModels: boolean;
  readonly createdAt: number;
}

/** What decisions depend on. */
export type GuardedWorkspace = Omit<Workspace, 'name' | 'slug' | 'createdAt'>;

/** undefined: no change; null removes a limit. */
export type WorkspaceSettings = {
  readonly [Setting in keyof Omit<Workspace, 'id' | 'slug' | 'plan' | 'createdAt' | 'runLimits'>]?:
    | Workspace[Setting]
    | undefined;
} & { readonly runLimits?: Partial<RunLimits> | undefined };

export function newWorkspace(given: { id: string; name: string; plan: Plan; now: number }): Workspace {
  return {
    id: given.id,
    name: given.name,
    slug: toSlug(given.name, given.id),
    plan: given.plan,
    killSwitch: false,
    dailyBudgetPicoUsd: null,
    userDailyBudgetPicoUsd: null,
    maxConcurrentRuns: BASIC_MAX_CONCURRENT_RUNS,
    runLeaseSeconds: DEFAULT_LEASE_SECONDS,
    runLimits: NO_RUN_LIMITS,
    repeatExemptTools: [],
    requireHolds: false,
    denyUnpricedModels: false,
    createdAt: given.now,
  };
}

/** A change as plain data: it is applied inside the transaction that writes it, possibly in another thread. */
export type WorkspaceChange =
  | { readonly kind: 'settings'; readonly settings: WorkspaceSettings }
  | { readonly kind: 'plan'; readonly plan: Plan };

export function changeWorkspace(workspace: Workspace, change: WorkspaceChange): Workspace {
  return change.kind === 'plan'
    ? changePlan(workspace, change.plan)
    : changeSettings(workspace, change.settings);
}

/** The workspace with the settings applied. If the plan does not include one of them, all are refused; a setting can always be cleared. */
export function changeSettings(workspace: Workspace, settings: WorkspaceSettings): Workspace {
  if (settings.userDailyBudgetPicoUsd != null) requireFeature(workspace, 'user_daily_budget');
  if (settings.maxConcurrentRuns !== undefined) requireFeature(workspace, 'max_concurrent_runs');
  if (settings.killSwitch === true) requireFeature(workspace, 'kill_switch');
  const { runLimits = {}, ...others } = settings;
  return {
    ...workspace,
    ...definedOf<Workspace>(others),
    runLimits: { ...workspace.runLimits, ...definedOf<RunLimits>(runLimits) },
  };
}

/** Without what is undefined. */
export function definedOf<Of>(
  given: { readonly [Property in keyof Of]?: Of[Property] | undefined },
): Partial<Of> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<Of>;
}

/** The workspace after a change of plan. A downgrade resets the settings that the new plan does not include. */
export function changePlan(workspace: Workspace, plan: Plan): Workspace {
  return {
    ...workspace,
    plan,
    killSwitch: hasFeature(plan, 'kill_switch') && workspace.killSwitch,
    userDailyBudgetPicoUsd: hasFeature(plan, 'user_daily_budget') ? workspace.userDailyBudgetPicoUsd : null,
    maxConcurrentRuns: hasFeature(plan, 'max_concurrent_runs')
      ? workspace.maxConcurrentRuns
      : BASIC_MAX_CONCURRENT_RUNS,
  };
}

function requireFeature(workspace: Workspace, feature: Feature): void {
  if (!hasFeature(workspace.plan, feature)) throw planRefusal(feature, workspace.plan);
}

/** The name in URL-safe letters, with the random end of the id so that slugs of equal names differ. */
function toSlug(name: string, id: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{Mark}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 48)
    .replace(/-+$/, '');
  return `${words === '' ? 'workspace' : words}-${id.slice(-8)}`;
}
