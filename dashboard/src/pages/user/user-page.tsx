import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../api/api-client.ts';
import { runsQuery, userQuery, visibleData, workspaceQuery } from '../../api/queries.ts';
import { ChangeBlockDialog } from '../../components/change-block-dialog.tsx';
import { CopyIcon } from '../../components/copy-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PageSkeleton } from '../../components/page-skeleton.tsx';
import { Panel } from '../../components/panel.tsx';
import { RangeLinks } from '../../components/range-links.tsx';
import { RunTable } from '../../components/run-table.tsx';
import { ServerButton } from '../../components/server-button.tsx';
import type { BlockIntent } from '../../components/set-blocked.ts';
import { SpendChart } from '../../components/spend-chart.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useIntent } from '../../components/use-intent.ts';
import { useSearchParameters } from '../../components/use-search-parameters.ts';
import { formatUsd } from '../../format/money.ts';
import { runsOfUserHref, USER_PATH } from '../../format/page-address.ts';
import { rangeIn } from '../../format/range.ts';
import { NotFoundPage } from '../not-found/not-found-page.tsx';
import { BlockNotice } from './block-notice.tsx';
import { UserDenials } from './user-denials.tsx';
import { UserFacts } from './user-facts.tsx';
import { UserModels } from './user-models.tsx';

type UserDetail = Schemas['UserDetail'];

const RUNS_SHOWN = 10;

export function UserPage() {
  const [parameters] = useSearchParameters();
  const userId = parameters.get('user') ?? '';
  return userId === '' ? <NotFoundPage /> : <User key={userId} userId={userId} />;
}

function User({ userId }: { userId: string }) {
  const [parameters] = useSearchParameters();
  const range = rangeIn(parameters);
  const user = useQuery(userQuery(userId, range));
  const runs = useQuery(runsQuery({ status: null, userId, page: 1, perPage: RUNS_SHOWN }));
  const { data: workspace } = useQuery(workspaceQuery);
  const changing = useIntent<BlockIntent>();
  const detail = visibleData(user);

  if (detail === undefined) {
    if (user.error === null) return <PageSkeleton />;
    return (
      <>
        <PageHeader title={userId} />
        <ErrorNotice error={user.error} onRetry={() => void user.refetch()} />
      </>
    );
  }
  const budgetUsd = workspace?.user_daily_budget_usd ?? null;
  // While another range loads, the figures are those of the previous one.
  const period = `the last ${detail.by_day.length} days`;
  const action = detail.blocked ? 'Unblock' : 'Block';
  return (
    <>
      <PageHeader
        title={userId}
        needs="change"
        description={
          <>
            <TextLink href="/users">All users</TextLink> ·{' '}
            <TextLink href={runsOfUserHref(userId)}>Runs of this user</TextLink>{' '}
            <CopyIcon text={userId} label="user ID" />
          </>
        }
        actions={
          <>
            <RangeLinks path={USER_PATH} range={range} />
            <ServerButton
              needs="change"
              variant="default"
              onClick={() => changing.open({ userId, blocked: !detail.blocked })}
            >
              {action}
            </ServerButton>
          </>
        }
      />
      <div className="stack">
        {user.error !== null && <ErrorNotice error={user.error} onRetry={() => void user.refetch()} />}
        {detail.blocked && <BlockNotice user={detail} />}
        <UserFacts user={detail} budgetUsd={budgetUsd} />
        <Panel title="Spend per day" description={`${formatUsd(detail.total_usd)} in ${period} (UTC)`}>
          <Spend user={detail} budgetUsd={budgetUsd} />
        </Panel>
        {detail.by_model.length > 0 && (
          <Panel title="Models" description={`Calls with tokens or a cost in ${period}`} flush>
            <UserModels user={detail} />
          </Panel>
        )}
        <Panel title="Denials" description={`Denied run starts and steps in ${period} (UTC), by reason`}>
          <UserDenials user={detail} />
        </Panel>
        <Panel
          title="Newest runs"
          flush
          action={(runs.data?.total ?? 0) > 0 && <TextLink href={runsOfUserHref(userId)}>All runs</TextLink>}
        >
          <RunTable
            label="Newest runs"
            query={runs}
            rows={runs.data?.items}
            skeletonRows={5}
            empty={
              <EmptyState icon="runs" title="No runs yet">
                Runs that agents start for this user appear here.
              </EmptyState>
            }
          />
        </Panel>
      </div>
      <ChangeBlockDialog dialog={changing} users={[detail]} />
    </>
  );
}

function Spend({ user, budgetUsd }: { user: UserDetail; budgetUsd: number | null }) {
  if (user.by_day.length === 0) return <Skeleton height={260} radius="md" />;
  if (user.total_usd === 0) {
    return (
      <EmptyState icon="prices" title="No spend in these days">
        {user.unpriced_tokens > 0
          ? 'The tokens of this user had no price when they were reported.'
          : 'Costs appear here when steps of this user report tokens of models with a price.'}
      </EmptyState>
    );
  }
  return (
    <SpendChart
      budgetUsd={budgetUsd}
      series={{
        models: ['Spend'],
        rows: user.by_day.map(({ day, total_usd }) => ({
          day,
          totalUsd: total_usd,
          usdByModel: [total_usd],
        })),
        totalUsd: user.total_usd,
      }}
    />
  );
}
