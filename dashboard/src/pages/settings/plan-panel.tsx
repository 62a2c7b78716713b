import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../api/api-client.ts';
import { billingQuery } from '../../api/queries.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Icon } from '../../components/icon.tsx';
import { Panel } from '../../components/panel.tsx';
import { ServerButton } from '../../components/server-button.tsx';
import { useIntent } from '../../components/use-intent.ts';
import { formatCount, formatQuantity } from '../../format/count.ts';
import { PlanDialog, type PlanIntent } from './plan-dialog.tsx';
import type { Plan } from './plan-effects.ts';
import classes from './plan-panel.module.css';

type Billing = Schemas['Billing'];

const FEATURE_LABELS: Readonly<Record<Billing['features'][number], string>> = {
  user_daily_budget: 'Budget per user',
  max_concurrent_runs: 'Custom concurrency',
  kill_switch: 'Kill switch',
};

export function PlanPanel() {
  const { data, error, refetch } = useQuery(billingQuery);
  const used =
    data &&
    `${formatQuantity(data.monthly_run_count, 'run')} this month${
      data.monthly_run_limit === null ? '' : ` of ${formatCount(data.monthly_run_limit)}`
    }`;
  return (
    <Panel title="Plan" id="plan" description={used}>
      {data !== undefined ? (
        <Plans billing={data} />
      ) : error !== null ? (
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={180} radius="md" />
      )}
    </Panel>
  );
}

function Plans({ billing }: { billing: Billing }) {
  const dialog = useIntent<PlanIntent>();
  const isChangedHere = billing.plan_changes === 'self-service';
  return (
    <>
      {!isChangedHere && (
        <p className={classes.operator}>
          The operator of the service changes plans: ask them for another one.
        </p>
      )}
      <ul className={classes.plans}>
        {billing.plans.map((plan) => {
          const isCurrent = plan.plan === billing.plan;
          return (
            <li key={plan.plan} className={classes.plan} data-current={isCurrent || undefined}>
              <h3 className={classes.name}>{plan.name}</h3>
              <ul className={classes.features}>
                <Included text={runsOf(plan)} />
                {plan.features.map((feature) => (
                  <Included key={feature} text={FEATURE_LABELS[feature]} />
                ))}
              </ul>
              {isCurrent && <p className={classes.current}>Your plan</p>}
              {!isCurrent && isChangedHere && (
                <ServerButton
                  needs="own"
                  variant="default"
                  size="xs"
                  onClick={() => dialog.open({ plan, from: billing.plan })}
                  aria-label={`Change to ${plan.name}`}
                >
                  Change to {plan.name}
                </ServerButton>
              )}
            </li>
          );
        })}
      </ul>
      <PlanDialog dialog={dialog} billing={billing} />
    </>
  );
}

function Included({ text }: { text: string }) {
  return (
    <li>
      <Icon name="check" size={14} /> {text}
    </li>
  );
}

function runsOf({ monthly_run_limit }: Plan): string {
  return monthly_run_limit === null ? 'Unlimited runs' : `${formatCount(monthly_run_limit)} runs per month`;
}
