/** The effects of a change of plan on the settings of a workspace. Pure. */

import type { Schemas } from '../../api/api-client.ts';
import { formatCount } from '../../format/count.ts';
import { formatExactUsd } from '../../format/money.ts';

type Billing = Schemas['Billing'];
export type Plan = Billing['plans'][number];

/** The concurrency limit of plans on which it cannot be configured. */
const FIXED_CONCURRENT_RUNS = 3;

export interface PlanEffect {
  readonly text: string;
  /** The label of the required checkbox if the change removes a guardrail. */
  readonly confirmation: string | null;
}

interface PlanChange {
  readonly plan: Plan;
  readonly billing: Pick<Billing, 'monthly_run_count'>;
  readonly workspace: Pick<
    Schemas['Workspace'],
    'kill_switch' | 'user_daily_budget_usd' | 'max_concurrent_runs'
  >;
}

/** Everything that the workspace loses; empty if it keeps all its settings. */
export function planEffects({ plan, billing, workspace }: PlanChange): PlanEffect[] {
  const lacks = (feature: Plan['features'][number]) => !plan.features.includes(feature);
  const effects: PlanEffect[] = [];
  if (lacks('kill_switch') && workspace.kill_switch) {
    effects.push({
      text: `The kill switch is on. Changing to ${plan.name} turns it off, and agents can resume.`,
      confirmation: 'Turn the kill switch off',
    });
  }
  if (lacks('user_daily_budget') && workspace.user_daily_budget_usd !== null) {
    effects.push({
      text: `The budget of ${formatExactUsd(workspace.user_daily_budget_usd)} per user per day is removed.`,
      confirmation: 'Remove the budget per user',
    });
  }
  if (lacks('max_concurrent_runs') && workspace.max_concurrent_runs !== FIXED_CONCURRENT_RUNS) {
    effects.push({
      text: `At most ${FIXED_CONCURRENT_RUNS} concurrent runs instead of ${formatCount(workspace.max_concurrent_runs)}.`,
      confirmation: null,
    });
  }
  const { monthly_run_limit: limit } = plan;
  if (limit !== null && billing.monthly_run_count >= limit) {
    effects.push({
      text: `${formatCount(billing.monthly_run_count)} runs were started this month; ${plan.name} allows ${formatCount(limit)}. New runs are denied.`,
      confirmation: null,
    });
  }
  return effects;
}
