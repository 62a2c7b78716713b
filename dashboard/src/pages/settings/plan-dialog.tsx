import { Checkbox, Skeleton, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schemas, unwrap } from '../../api/api-client.ts';
import { isUnchanged } from '../../api/is-unchanged.ts';
import { billingQuery, workspaceQuery } from '../../api/queries.ts';
import { ConfirmDialog, type Conflict } from '../../components/confirm-dialog.tsx';
import type { DialogIntent } from '../../components/use-intent.ts';
import classes from './plan-dialog.module.css';
import { type Plan, planEffects } from './plan-effects.ts';

type Billing = Schemas['Billing'];

export interface PlanIntent {
  readonly plan: Plan;
  /** The current plan when the dialog opened. */
  readonly from: Billing['plan'];
}

interface PlanDialogProps {
  readonly dialog: DialogIntent<PlanIntent>;
  readonly billing: Billing;
}

/** Lists what a change of plan removes, and requires a confirmation for each guardrail. */
export function PlanDialog({ dialog, billing }: PlanDialogProps) {
  const queryClient = useQueryClient();
  const { data: workspace } = useQuery(workspaceQuery);
  const [confirmed, setConfirmed] = useState<ReadonlySet<string>>(new Set());
  const change = useMutation({
    mutationFn: async ({ plan }: PlanIntent) => {
      const unchanged = await Promise.all([
        isUnchanged(queryClient, workspaceQuery, (present) =>
          planEffects({ plan, billing, workspace: present }),
        ),
        isUnchanged(queryClient, billingQuery, (present) => present.plan),
      ]);
      if (unchanged.includes(false)) return null;
      return unwrap(api.PUT('/v1/billing/plan', { body: { plan: plan.plan } }));
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
    setConfirmed(new Set());
  };
  const { intent, shown } = dialog;
  const plan = shown?.plan;
  const effects = plan && workspace && planEffects({ plan, billing, workspace });
  const confirmations = effects?.flatMap(({ confirmation }) => confirmation ?? []) ?? [];
  const isComplete = effects !== undefined && confirmations.every((label) => confirmed.has(label));

  return (
    <ConfirmDialog
      opened={intent !== null}
      title={`Change to the ${plan?.name ?? ''} plan?`}
      confirmLabel={`Change to ${plan?.name ?? ''}`}
      needs="own"
      danger={confirmations.length > 0}
      incomplete={!isComplete}
      conflict={change.isPending ? null : conflictOf({ intent, billing, wasStopped: change.data === null })}
      pending={change.isPending}
      error={change.error}
      onConfirm={() => intent !== null && change.mutate(intent)}
      onClose={close}
    >
      {effects === undefined ? (
        <Skeleton height={48} radius="md" />
      ) : effects.length === 0 ? (
        'The change applies immediately. All your settings are kept.'
      ) : (
        <>
          The change applies immediately:
          <ul className={classes.effects}>
            {effects.map(({ text, confirmation }) => (
              <li key={text} data-removes-guardrail={confirmation !== null || undefined}>
                {text}
              </li>
            ))}
          </ul>
          <Stack gap="xs">
            {confirmations.map((label) => (
              <Checkbox
                key={label}
                label={label}
                checked={confirmed.has(label)}
                onChange={(event) =>
                  setConfirmed(withConfirmation(confirmed, label, event.currentTarget.checked))
                }
              />
            ))}
          </Stack>
        </>
      )}
    </ConfirmDialog>
  );
}

function conflictOf({
  intent,
  billing,
  wasStopped,
}: {
  intent: PlanIntent | null;
  billing: Billing;
  wasStopped: boolean;
}): Conflict | null {
  if (intent === null) return null;
  if (billing.plan !== intent.from) {
    const name = billing.plans.find(({ plan }) => plan === billing.plan)?.name ?? billing.plan;
    return { text: `The plan has changed to ${name}.`, isDone: billing.plan === intent.plan.plan };
  }
  return wasStopped ? { text: 'The settings have changed.', isDone: false } : null;
}

function withConfirmation(
  confirmed: ReadonlySet<string>,
  label: string,
  isChecked: boolean,
): ReadonlySet<string> {
  const next = new Set(confirmed);
  if (isChecked) next.add(label);
  else next.delete(label);
  return next;
}
