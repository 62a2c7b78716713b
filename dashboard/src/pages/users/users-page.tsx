import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { Schemas } from '../../api/api-client.ts';
import { dailyUsageQuery, usersQuery, visibleData, workspaceQuery } from '../../api/queries.ts';
import { ChangeBlockDialog } from '../../components/change-block-dialog.tsx';
import type { Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import barClasses from '../../components/filter-bar.module.css';
import { FilterInput } from '../../components/filter-input.tsx';
import { FilterLinks } from '../../components/filter-links.tsx';
import { Identifier } from '../../components/identifier.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Meter } from '../../components/meter.tsx';
import { MissingPage } from '../../components/missing-page.tsx';
import { Money } from '../../components/money.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Pager } from '../../components/pager.tsx';
import { QueryTable } from '../../components/query-table.tsx';
import { ServerButton } from '../../components/server-button.tsx';
import type { BlockIntent } from '../../components/set-blocked.ts';
import { Surface } from '../../components/surface.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useIntent } from '../../components/use-intent.ts';
import { useSearchParameters } from '../../components/use-search-parameters.ts';
import { comparisonFormat } from '../../format/comparison.ts';
import { formatCount, formatTokenQuantity } from '../../format/count.ts';
import { listHref, pageIn } from '../../format/list-address.ts';
import { userHref } from '../../format/page-address.ts';
import { BlockUserDialog } from './block-user-dialog.tsx';
import classes from './users-page.module.css';

type User = Schemas['User'];

const PER_PAGE = 25;
const IN_THIS_ORDER = ['Previous', 'Next'] as const;
/** The service finds no more users by a prefix, and ranks no more by spend. */
const MAX_FOUND = 10_000;
const MAX_RANKED = 1_000;
const FILTERS = [
  { label: 'All', blocked: null },
  { label: 'Blocked', blocked: true },
  { label: 'Not blocked', blocked: false },
] as const;

export function UsersPage() {
  const [parameters] = useSearchParameters();
  const address = fromSearch(parameters);
  const { blocked, search, isBySpend, page } = address;
  const [, navigate] = useLocation();
  const users = useQuery(usersQuery({ blocked, search, isBySpend, page, perPage: PER_PAGE }));
  const list = visibleData(users);
  const { data: workspace } = useQuery(workspaceQuery);
  const { data: days } = useQuery(dailyUsageQuery);
  const unpricedToday = days?.at(-1)?.unpriced_tokens ?? 0;
  const changing = useIntent<BlockIntent>();
  const [isBlockDialogOpen, setBlockDialogOpen] = useState(false);

  return (
    <>
      <PageHeader
        title="Users"
        needs="change"
        description="The people and systems your agents work for, identified by the user_id of their runs."
        actions={
          <ServerButton needs="change" variant="default" onClick={() => setBlockDialogOpen(true)}>
            Block a user
          </ServerButton>
        }
      />
      <div className={barClasses.bar}>
        <FilterLinks
          label="Block status"
          options={FILTERS.map((filter) => ({
            label: filter.label,
            href: toHref({ ...address, blocked: filter.blocked, page: 1 }),
            current: blocked === filter.blocked,
          }))}
        />
        <FilterLinks
          label="Order"
          options={[false, true].map((bySpend) => ({
            label: bySpend ? 'Most spend' : search === null ? 'Last seen' : 'By ID',
            href: toHref({ ...address, isBySpend: bySpend, page: 1 }),
            current: isBySpend === bySpend,
          }))}
        />
        {unpricedToday > 0 && (
          <span className="unpriced">
            {formatTokenQuantity(unpricedToday)} used today {unpricedToday === 1 ? 'has' : 'have'} no price:
            not included in the spend of any user
          </span>
        )}
      </div>
      <div className={barClasses.bar}>
        <FilterInput
          key={`search ${search}`}
          className={barClasses.grow}
          label="Search"
          placeholder="Beginning of a user ID"
          maxLength={255}
          applied={search}
          toFilter={(text) => text.trim() || null}
          onApply={(text) => navigate(toHref({ ...address, search: text, page: 1 }))}
        />
      </div>
      {isBySpend && (
        <p className={barClasses.explanation}>
          Users with runs or usage in the last 30 days (UTC), the {formatCount(MAX_RANKED)} with the most
          spend.
        </p>
      )}
      <QueryTable
        label="Users"
        query={users}
        columns={columnsOf(workspace?.user_daily_budget_usd ?? null, (user) =>
          changing.open({ userId: user.user_id, blocked: !user.blocked }),
        )}
        rows={list?.items}
        keyOf={({ user_id }) => user_id}
        skeletonRows={8}
        empty={<NoUsers address={address} total={list?.total ?? 0} />}
        frame={Surface}
        errorClass="stack-item"
      >
        {list !== undefined && (
          <Pager
            page={page}
            perPage={PER_PAGE}
            total={list.total}
            countedUpTo={isBySpend ? MAX_RANKED : search === null ? undefined : MAX_FOUND}
            {...(isBySpend || search !== null ? { directions: IN_THIS_ORDER } : {})}
            hrefOf={(next) => toHref({ ...address, page: next })}
          />
        )}
      </QueryTable>
      <ChangeBlockDialog dialog={changing} users={list?.items ?? []} />
      <BlockUserDialog opened={isBlockDialogOpen} onClose={() => setBlockDialogOpen(false)} />
    </>
  );
}

const columnsOf = (budgetUsd: number | null, onToggle: (user: User) => void): readonly Column<User>[] => [
  {
    header: 'User',
    className: classes.user,
    cell: ({ user_id, blocked }) => (
      <>
        <Identifier text={user_id} label="user ID">
          <Link href={userHref(user_id)} className={classes.link}>
            {user_id}
          </Link>
        </Identifier>
        {blocked && <span className={classes.blocked}>Blocked</span>}
      </>
    ),
  },
  {
    header: 'Spend today',
    align: 'end',
    cell: (user) => <UserSpend user={user} budgetUsd={budgetUsd} />,
  },
  { header: '30 days', align: 'end', wide: true, cell: (user) => <Money usd={user.spend_30d_usd} /> },
  { header: 'Runs', align: 'end', wide: true, cell: (user) => formatCount(user.run_count) },
  {
    header: 'Last seen',
    wide: true,
    className: classes.seen,
    cell: ({ last_seen_at }) => (last_seen_at === null ? 'Never' : <Timestamp iso={last_seen_at} relative />),
  },
  {
    header: 'Actions',
    isHeaderHidden: true,
    align: 'end',
    cell: (user) => {
      const action = user.blocked ? 'Unblock' : 'Block';
      return (
        <ServerButton
          needs="change"
          variant="default"
          size="xs"
          aria-label={`${action} ${user.user_id}`}
          onClick={() => onToggle(user)}
        >
          {action}
        </ServerButton>
      );
    },
  },
];

/** Tokens without a price are named, because the spend does not have them: theirs is unknown, which is not the same as zero. */
function UserSpend({ user, budgetUsd }: { user: User; budgetUsd: number | null }) {
  const { user_id, spend_today_usd, held_usd, unpriced_tokens_today: unpriced } = user;
  const format = comparisonFormat('usd', { parts: [spend_today_usd, held_usd], limit: budgetUsd });
  return (
    <>
      {spend_today_usd === 0 && unpriced > 0 ? (
        <span className="unpriced">no price</span>
      ) : (
        <Money usd={spend_today_usd} format={format} />
      )}
      {budgetUsd !== null && (
        <>
          <span className={`${classes.of} wide-only`}> of {format(budgetUsd)}</span>
          <div className={classes.meter}>
            <Meter
              label={`Budget of ${user_id} used today`}
              value={spend_today_usd}
              held={held_usd}
              limit={budgetUsd}
            />
          </div>
        </>
      )}
      <div className={`${classes.recent} narrow-only`}>
        <Money usd={user.spend_30d_usd} /> in 30 days
      </div>
      {held_usd > 0 && (
        <div className={classes.held}>
          + <Money usd={held_usd} format={format} /> held
        </div>
      )}
      {unpriced > 0 && (
        <div className={classes.unpriced}>
          + <span className="unpriced">{formatTokenQuantity(unpriced)} without a price</span>
        </div>
      )}
    </>
  );
}

function NoUsers({ address, total }: { address: UserListAddress; total: number }) {
  if (total > 0) return <MissingPage icon="users" firstPage={toHref({ ...address, page: 1 })} />;
  if (address.blocked !== null || address.search !== null || address.isBySpend) {
    return (
      <EmptyState icon="users" title="No users found">
        {address.search === null
          ? 'No user matches this filter.'
          : 'User IDs match from their beginning and are case-sensitive.'}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="users"
      title="No users yet"
      action={<LinkButton href="/setup">Connect an agent</LinkButton>}
    >
      Users appear here after their first run. You can block a user before that.
    </EmptyState>
  );
}

interface UserListAddress {
  readonly blocked: boolean | null;
  readonly search: string | null;
  readonly isBySpend: boolean;
  readonly page: number;
}

function fromSearch(parameters: URLSearchParams): UserListAddress {
  const blocked = parameters.get('blocked');
  return {
    blocked: blocked === 'true' ? true : blocked === 'false' ? false : null,
    search: parameters.get('search') || null,
    isBySpend: parameters.get('sort') === 'spend',
    page: pageIn(parameters),
  };
}

function toHref({ blocked, search, isBySpend, page }: UserListAddress): string {
  const filters = {
    blocked: blocked === null ? null : String(blocked),
    search,
    sort: isBySpend ? 'spend' : null,
  };
  return listHref('/users', { filters, page });
}
