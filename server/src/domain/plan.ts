/** Plan tiers, what each one includes, and the refusal that names the plans to upgrade to. */

import { type AppError, forbidden } from './app-error.js';

/** From the lowest to the highest tier. */
export const PLANS = ['basic', 'pro', 'scale', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];

export const FEATURES = ['user_daily_budget', 'max_concurrent_runs', 'kill_switch'] as const;
export type Feature = (typeof FEATURES)[number];

/** Who changes plans: the account itself, or only the operator of the service. */
export const PLAN_CHANGES = ['self-service', 'operator'] as const;
export type PlanChanges = (typeof PLAN_CHANGES)[number];

export const BASIC_MAX_CONCURRENT_RUNS = 3;

interface PlanTerms {
  readonly displayName: string;
  /** null: unlimited. */
  readonly monthlyRunLimit: number | null;
  readonly features: readonly Feature[];
}

const TERMS: Record<Plan, PlanTerms> = {
  basic: { displayName: 'Basic', monthlyRunLimit: 1_000, features: [] },
  pro: {
    displayName: 'Pro',
    monthlyRunLimit: 50_000,
    features: ['user_daily_budget', 'max_concurrent_runs'],
  },
  scale: { displayName: 'Scale', monthlyRunLimit: null, features: FEATURES },
  enterprise: { displayName: 'Enterprise', monthlyRunLimit: null, features: FEATURES },
};

const FEATURE_NAMES: Record<Feature, string> = {
  user_daily_budget: 'Per-user daily budget',
  max_concurrent_runs: 'Configurable concurrency',
  kill_switch: 'Kill switch',
};

export function isPlan(text: string): text is Plan {
  return (PLANS as readonly string[]).includes(text);
}

export function monthlyRunLimit(plan: Plan): number | null {
  return TERMS[plan].monthlyRunLimit;
}

export function planName(plan: Plan): string {
  return TERMS[plan].displayName;
}

export function planFeatures(plan: Plan): readonly Feature[] {
  return TERMS[plan].features;
}

export function hasFeature(plan: Plan, feature: Feature): boolean {
  return TERMS[plan].features.includes(feature);
}

/** The 403 of a gated operation; it names the two lowest plans that include the feature. */
export function planRefusal(feature: Feature, plan: Plan): AppError {
  const [first, second] = PLANS.filter((candidate) => hasFeature(candidate, feature)).map(planName);
  return forbidden(
    `${FEATURE_NAMES[feature]} is not available on the ${plan} plan. Upgrade to ${first} or ${second}.`,
  );
}
