import { Button, Skeleton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api, type Schemas } from '../../api/api-client.ts';
import { billingQuery } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Icon } from '../../components/icon.tsx';
import { Panel } from '../../components/panel.tsx';
import { formatCount } from '../../format/count.ts';
import classes from './plan-panel.module.css';

type Billing = Schemas['Billing'];
type Plan = Billing['plans'][number];

const FEATURE_LABELS: Readonly<Record<Billing['features'][number], string>> = {
  user_daily_budget: 'Budget per user',
  max_concurrent_runs: 'Concurrency of your choice',
  kill_switch: 'Kill switch',
};

export function PlanPanel() {
  const { data, error, refetch } = useQuery(billingQuery);
  const used =
    data &&
    `${formatCount(data.monthly_run_count)} runs this month${
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
  const queryClient = useQueryClient();
  const [chosen, setChosen] = useState<Plan | null>(null);
  const change = useMutation({
    mutationFn: (plan: Plan) => answerOf(api.PUT('/v1/billing/plan', { body: { plan: plan.plan } })),
    onSuccess: async (changed) => {
      queryClient.setQueryData(billingQuery.queryKey, changed);
      setChosen(null);
      await queryClient.invalidateQueries();
    },
  });
  const rankOf = (plan: string) => billing.plans.findIndex((candidate) => candidate.plan === plan);
  const isDowngrade = chosen !== null && rankOf(chosen.plan) < rankOf(billing.plan);
  const choose = (plan: Plan) => {
    change.reset();
    setChosen(plan);
  };

  return (
    <>
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
              {isCurrent ? (
                <p className={classes.current}>Your plan</p>
              ) : (
                <Button
                  variant="default"
                  size="xs"
                  onClick={() => choose(plan)}
                  aria-label={`Change to ${plan.name}`}
                >
                  Change to {plan.name}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      <ConfirmDialog
        opened={chosen !== null}
        title={`Change to the ${chosen?.name ?? ''} plan?`}
        confirmLabel="Change plan"
        pending={change.isPending}
        error={change.error}
        onConfirm={() => chosen !== null && change.mutate(chosen)}
        onClose={() => setChosen(null)}
      >
        {isDowngrade
          ? 'What the new plan lacks is reset at once: a kill switch is turned off, a budget per user is removed, concurrency goes back to 3 on Basic.'
          : 'It acts at once. Your settings stay as they are.'}
      </ConfirmDialog>
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
  return monthly_run_limit === null ? 'Unlimited runs' : `${formatCount(monthly_run_limit)} runs a month`;
}
