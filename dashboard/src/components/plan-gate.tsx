import type { ReactNode } from 'react';
import type { Schemas } from '../api/api-client.ts';
import { Allowed } from './allowed.tsx';
import { Notice } from './notice.tsx';
import classes from './plan-gate.module.css';
import { TextLink } from './text-link.tsx';

type Billing = Schemas['Billing'];
export type Feature = Billing['features'][number];

const FEATURE_NAMES: Readonly<Record<Feature, string>> = {
  user_daily_budget: 'A budget per user',
  max_concurrent_runs: 'A custom number of concurrent runs',
  kill_switch: 'The kill switch',
};

interface PlanGateProps {
  readonly billing: Billing;
  /** null if every plan includes it. */
  readonly feature: Feature | null;
  readonly children: (locked: boolean) => ReactNode;
}

/** Renders a feature and, if the plan does not include it, a notice with the plans that do. */
export function PlanGate({ billing, feature, children }: PlanGateProps) {
  if (feature === null || billing.features.includes(feature)) return children(false);
  const current = billing.plans.find(({ plan }) => plan === billing.plan)?.name ?? billing.plan;
  const better = billing.plans.filter(({ features }) => features.includes(feature)).map(({ name }) => name);
  const isChangedHere = billing.plan_changes === 'self-service';
  return (
    <>
      {children(true)}
      <div className={classes.reason}>
        <Notice
          tone="neutral"
          icon="key"
          title={`${FEATURE_NAMES[feature]} is not part of the ${current} plan`}
          action={
            isChangedHere && (
              <Allowed needs="own">
                <TextLink href="/settings#plan">Change plan</TextLink>
              </Allowed>
            )
          }
        >
          Available on {listOf(better)}.{!isChangedHere && ' The operator of the service changes plans.'}
        </Notice>
      </div>
    </>
  );
}

function listOf(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
