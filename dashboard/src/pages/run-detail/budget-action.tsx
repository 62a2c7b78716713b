import { useQuery } from '@tanstack/react-query';
import {
  billingQuery,
  currentData,
  dailyUsageQuery,
  readAnew,
  usageSummaryQuery,
  userQuery,
  workspaceQuery,
} from '../../api/queries.ts';
import { type SpendToday, spendToday } from '../../api/spend-today.ts';
import { useNow } from '../../components/use-now.ts';
import type { BudgetField } from '../../format/denial-remedies.ts';
import { LIMITS } from '../../format/limits.ts';
import { budgetSince, budgetUseOf, describeBudgetUse, fitsBudget } from '../../format/since-denial.ts';
import { DenialAction } from './denial-action.tsx';
import type { RemedyProps } from './denied-request.ts';
import { RaiseLimitButton } from './raise-limit-button.tsx';
import { type RaiseIntent, RaiseLimitDialog } from './raise-limit-dialog.tsx';
import { useDenialDialog } from './use-denial-dialog.ts';

export function WorkspaceBudgetAction(props: RemedyProps) {
  const days = currentData(useQuery(readAnew(dailyUsageQuery)));
  const summary = currentData(useQuery(readAnew(usageSummaryQuery)));
  if (days === undefined || summary === undefined) return null;
  return (
    <BudgetAction {...props} field="daily_budget_usd" spend={spendToday({ today: days.at(-1), summary })} />
  );
}

export function UserBudgetAction(props: RemedyProps) {
  const user = currentData(useQuery(readAnew(userQuery(props.denied.userId, 1))));
  if (user === undefined) return null;
  const spend = { spentUsd: user.spend_today_usd, heldUsd: user.held_usd };
  return <BudgetAction {...props} field="user_daily_budget_usd" spend={spend} />;
}

interface BudgetActionProps extends RemedyProps {
  readonly field: BudgetField;
  /** What the budget counts now; undefined if it is not known. */
  readonly spend: SpendToday | undefined;
}

function BudgetAction({ denied: { rule }, onDialog, field, spend }: BudgetActionProps) {
  const { dialog, buttonRef, outcomeRef, onClosed } = useDenialDialog<RaiseIntent>(onDialog);
  const workspace = currentData(useQuery(readAnew(workspaceQuery)));
  const { data: billing } = useQuery(billingQuery);
  const now = useNow();
  if (workspace === undefined || billing === undefined) return null;
  const limit = workspace[field];
  const use = budgetUseOf(rule, { spend, now });
  const requested = rule?.requested ?? null;
  return (
    <>
      <DenialAction
        since={budgetSince(field, { limit, use, requested })}
        needs="change"
        help={`raise the ${LIMITS[field].noun}`}
        outcomeRef={outcomeRef}
      >
        <RaiseLimitButton
          field={field}
          billing={billing}
          buttonRef={buttonRef}
          onClick={() => limit !== null && dialog.open({ from: limit })}
        />
      </DenialAction>
      <RaiseLimitDialog
        dialog={dialog}
        field={field}
        workspace={workspace}
        use={use === null ? '' : describeBudgetUse(field, { limit, use })}
        isEnough={(raised) => use === null || fitsBudget({ limit: raised, use, requested })}
        onClosed={onClosed}
      />
    </>
  );
}
