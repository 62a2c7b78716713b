import { useQuery } from '@tanstack/react-query';
import { billingQuery, currentData, readAnew, workspaceQuery } from '../../api/queries.ts';
import { LinkButton } from '../../components/link-button.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { PLACES, remedyOf } from '../../format/denial-remedies.ts';
import { describeLimit, limitIn, type RunLimitField } from '../../format/limits.ts';
import { monthSince } from '../../format/since-denial.ts';
import { UserBudgetAction, WorkspaceBudgetAction } from './budget-action.tsx';
import { DenialAction } from './denial-action.tsx';
import classes from './denial-actions.module.css';
import type { RemedyProps } from './denied-request.ts';
import { KillSwitchAction } from './kill-switch-action.tsx';
import { PriceAction } from './price-action.tsx';
import { SlotsAction } from './slots-action.tsx';
import { UnblockAction } from './unblock-action.tsx';

/** What lifts exactly this denial, or what has changed since it was made. */
export function DenialActions(props: RemedyProps) {
  const { denied } = props;
  const remedy = remedyOf(denied.reason);
  switch (remedy?.kind) {
    case 'kill-switch':
      return <KillSwitchAction onDialog={props.onDialog} />;
    case 'unblock':
      return <UnblockAction {...props} />;
    case 'budget':
      return remedy.field === 'daily_budget_usd' ? (
        <WorkspaceBudgetAction {...props} />
      ) : (
        <UserBudgetAction {...props} />
      );
    case 'plan':
      return <PlanAction />;
    case 'slots':
      return <SlotsAction onDialog={props.onDialog} />;
    case 'run-limit':
      return <RunLimitAction field={remedy.field} />;
    case 'price':
      return <PriceAction setting={remedy.setting} model={denied.model} />;
    case 'lease':
      return (
        <p className={classes.text}>
          How long a silent run lasts is a setting: <TextLink href={PLACES.leases}>Leases</TextLink>
        </p>
      );
    case undefined:
      return null;
  }
}

function PlanAction() {
  const billing = currentData(useQuery(readAnew(billingQuery)));
  if (billing === undefined) return null;
  const isChangedHere = billing.plan_changes === 'self-service';
  return (
    <DenialAction
      since={monthSince(billing)}
      needs="own"
      help={isChangedHere ? 'change the plan' : 'ask the operator of the service for another plan'}
    >
      <LinkButton href={PLACES.plan} variant="default" size="xs">
        {isChangedHere ? 'Change the plan' : 'See the plans'}
      </LinkButton>
    </DenialAction>
  );
}

/** The limits of a run are fixed at its start: nothing lifts this denial, but later runs may get other limits. */
function RunLimitAction({ field }: { field: RunLimitField }) {
  const workspace = currentData(useQuery(readAnew(workspaceQuery)));
  if (workspace === undefined) return null;
  return (
    <p className={classes.text}>
      The limit of the workspace for runs that start now: {describeLimit(field, limitIn(workspace, field))}.{' '}
      <TextLink href={PLACES.runLimits}>Run limits</TextLink>
    </p>
  );
}
