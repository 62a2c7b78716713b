import { Checkbox, Skeleton, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api, type Schemas } from '../../api/api-client.ts';
import { isUnchanged } from '../../api/is-unchanged.ts';
import { billingQuery, workspaceQuery } from '../../api/queries.ts';
import { ConfirmDialog, type Meanwhile } from '../../components/confirm-dialog.tsx';
import type { DialogIntent } from '../../components/use-intent.ts';
import classes from './plan-dialog.module.css';
import { type Plan, planEffects } from './plan-effects.ts';

type Billing = Schemas['Billing'];

export interface PlanIntent {
  readonly plan: Plan;
  /** The plan from which the person wanted to change. */
  readonly from: Billing['plan'];
}

interface PlanDialogProps {
  readonly dialog: DialogIntent<PlanIntent>;
  readonly billing: Billing;
}

/** Says what a change of plan takes away, and needs a tick for each guardrail among it. */
export function PlanDialog({ dialog, billing }: PlanDialogProps) {
  const queryClient = useQueryClient();
  const { data: workspace } = useQuery(workspaceQuery);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const change = useMutation({
    mutationFn: async ({ plan }: PlanIntent) => {
      const unchanged = await Promise.all([
        isUnchanged(queryClient, workspaceQuery, (present) =>
          planEffects({ plan, billing, workspace: present }),
        ),
        isUnchanged(queryClient, billingQuery, (present) => present.plan),
      ]);
      if (unchanged.includes(false)) return null;
      return answerOf(api.PUT('/v1/billing/plan', { body: { plan: plan.plan } }));
    },
    onSuccess: async (changed) => {
      if (changed === null) return;
      close();
      queryClient.setQueryData(billingQuery.queryKey, changed);
      await queryClient.invalidateQueries();
    },
  });
  const close = () => {
    dialog.close();
    change.reset();
    setTicked(new Set());
  };
  const { intent, shown } = dialog;
  const plan = shown?.plan;
  const effects = plan && workspace && planEffects({ plan, billing, workspace });
  const ticks = effects?.flatMap(({ tick }) => tick ?? []) ?? [];
  const isComplete = effects !== undefined && ticks.every((tick) => ticked.has(tick));

  return (
    <ConfirmDialog
      opened={intent !== null}
      title={`Change to the ${plan?.name ?? ''} plan?`}
      confirmLabel={`Change to ${plan?.name ?? ''}`}
      danger={ticks.length > 0}
      incomplete={!isComplete}
      meanwhile={change.isPending ? null : meanwhileOf({ intent, billing, wasStopped: change.data === null })}
      pending={change.isPending}
      error={change.error}
      onConfirm={() => intent !== null && change.mutate(intent)}
      onClose={close}
    >
      {effects === undefined ? (
        <Skeleton height={48} radius="md" />
      ) : effects.length === 0 ? (
        'It acts at once. Nothing that you have set is lost.'
      ) : (
        <>
          It acts at once:
          <ul className={classes.effects}>
            {effects.map(({ text, tick }) => (
              <li key={text} data-loses-guardrail={tick !== null || undefined}>
                {text}
              </li>
            ))}
          </ul>
          <Stack gap="xs">
            {ticks.map((tick) => (
              <Checkbox
                key={tick}
                label={tick}
                checked={ticked.has(tick)}
                onChange={(event) => setTicked(withTick(ticked, tick, event.currentTarget.checked))}
              />
            ))}
          </Stack>
        </>
      )}
    </ConfirmDialog>
  );
}

function meanwhileOf({
  intent,
  billing,
  wasStopped,
}: {
  intent: PlanIntent | null;
  billing: Billing;
  wasStopped: boolean;
}): Meanwhile | null {
  if (intent === null) return null;
  if (billing.plan !== intent.from) {
    const name = billing.plans.find(({ plan }) => plan === billing.plan)?.name ?? billing.plan;
    return { text: `The plan was changed to ${name} meanwhile.`, isDone: billing.plan === intent.plan.plan };
  }
  return wasStopped ? { text: 'The settings were changed meanwhile.', isDone: false } : null;
}

function withTick(ticked: ReadonlySet<string>, tick: string, isTicked: boolean): ReadonlySet<string> {
  const next = new Set(ticked);
  if (isTicked) next.add(tick);
  else next.delete(tick);
  return next;
}
