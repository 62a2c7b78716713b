import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Schemas } from '../../api/api-client.ts';
import { dailyUsageQuery, shownOf, usersQuery, workspaceQuery } from '../../api/queries.ts';
import { DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import barClasses from '../../components/filter-bar.module.css';
import { FilterLinks } from '../../components/filter-links.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Meter } from '../../components/meter.tsx';
import { Money } from '../../components/money.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Pager } from '../../components/pager.tsx';
import { ServerButton } from '../../components/server-button.tsx';
import { Surface } from '../../components/surface.tsx';
import { TableSkeleton } from '../../components/table-skeleton.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useIntent } from '../../components/use-intent.ts';
import { useSearchParameters } from '../../components/use-search-parameters.ts';
import { formatCount, formatTokens } from '../../format/count.ts';
import { formatUsd } from '../../format/money.ts';
import { BlockUserDialog } from './block-user-dialog.tsx';
import { ChangeBlockDialog } from './change-block-dialog.tsx';
import type { BlockIntent } from './set-blocked.ts';
import classes from './users-page.module.css';

type User = Schemas['User'];

const PER_PAGE = 25;
const FILTERS = [
  { label: 'All', blocked: null },
  { label: 'Blocked', blocked: true },
  { label: 'Not blocked', blocked: false },
] as const;

export function UsersPage() {
  const [parameters] = useSearchParameters();
  const { blocked, page } = fromSearch(parameters);
  const users = useQuery(usersQuery({ blocked, page, perPage: PER_PAGE }));
  const list = shownOf(users);
  const { data: workspace } = useQuery(workspaceQuery);
  const { data: days } = useQuery(dailyUsageQuery);
  const unpricedToday = days?.at(-1)?.unpriced_tokens ?? 0;
  const changing = useIntent<BlockIntent>();
  const [blockingAnyone, setBlockingAnyone] = useState(false);

  return (
    <>
      <PageHeader
        title="Users"
        description="The people and systems your agents work for, as named by user_id when a run starts."
        actions={
          <ServerButton variant="default" onClick={() => setBlockingAnyone(true)}>
            Block a user
          </ServerButton>
        }
      />
      <div className={barClasses.bar}>
        <FilterLinks
          label="Blocked or not"
          options={FILTERS.map((filter) => ({
            label: filter.label,
            href: toHref({ blocked: filter.blocked, page: 1 }),
            current: blocked === filter.blocked,
          }))}
        />
        {unpricedToday > 0 && (
          <span className="unpriced">
            {formatTokens(unpricedToday)} tokens of today have no price and are in no user’s spend
          </span>
        )}
      </div>
      {users.error !== null && (
        <div className="stack-item">
          <ErrorNotice error={users.error} onRetry={() => void users.refetch()} />
        </div>
      )}
      {(list !== undefined || users.error === null) && (
        <Surface>
          {list === undefined ? (
            <TableSkeleton rows={8} />
          ) : list.items.length === 0 ? (
            <NoUsers filtered={blocked !== null} />
          ) : (
            <UserTable
              users={list.items}
              budgetUsd={workspace?.user_daily_budget_usd ?? null}
              onChoose={({ user_id, blocked }) => changing.open({ userId: user_id, blocked: !blocked })}
            />
          )}
          {list !== undefined && (
            <Pager
              page={page}
              perPage={PER_PAGE}
              total={list.total}
              hrefOf={(next) => toHref({ blocked, page: next })}
            />
          )}
        </Surface>
      )}
      <ChangeBlockDialog dialog={changing} users={list?.items ?? []} />
      <BlockUserDialog opened={blockingAnyone} onClose={() => setBlockingAnyone(false)} />
    </>
  );
}

interface UserTableProps {
  readonly users: readonly User[];
  readonly budgetUsd: number | null;
  readonly onChoose: (user: User) => void;
}

function UserTable({ users, budgetUsd, onChoose }: UserTableProps) {
  return (
    <DataTable
      label="Users"
      head={
        <tr>
          <th scope="col">User</th>
          <th scope="col" className="numeric">
            Spend today
          </th>
          <th scope="col" className="numeric wide-only">
            Runs
          </th>
          <th scope="col" className="wide-only">
            Last seen
          </th>
          <th scope="col">
            <span className={classes.hidden}>Actions</span>
          </th>
        </tr>
      }
    >
      {users.map((user) => (
        <tr key={user.user_id}>
          <td className={classes.user}>
            <Link href={`/runs?user=${encodeURIComponent(user.user_id)}`} className={classes.link}>
              {user.user_id}
            </Link>
            {user.blocked && <span className={classes.blocked}>Blocked</span>}
          </td>
          <td className="numeric">
            <Money usd={user.spend_today_usd} />
            {budgetUsd !== null && (
              <span className={`${classes.of} wide-only`}> of {formatUsd(budgetUsd)}</span>
            )}
            {budgetUsd !== null && (
              <div className={classes.meter}>
                <Meter
                  label={`Budget of ${user.user_id} used today`}
                  value={user.spend_today_usd}
                  limit={budgetUsd}
                />
              </div>
            )}
          </td>
          <td className="numeric wide-only">{formatCount(user.run_count)}</td>
          <td className={`wide-only ${classes.seen}`}>
            {user.last_seen_at === null ? 'Never' : <Timestamp iso={user.last_seen_at} relative />}
          </td>
          <td className="numeric">
            <ServerButton
              variant="default"
              size="xs"
              aria-label={`${user.blocked ? 'Unblock' : 'Block'} ${user.user_id}`}
              onClick={() => onChoose(user)}
            >
              {user.blocked ? 'Unblock' : 'Block'}
            </ServerButton>
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

function NoUsers({ filtered }: { filtered: boolean }) {
  if (filtered) {
    return (
      <EmptyState icon="users" title="Nobody here">
        No user matches this filter.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="users"
      title="No users yet"
      action={<LinkButton href="/setup">Connect an agent</LinkButton>}
    >
      Users appear here with their first run. You can block one before that.
    </EmptyState>
  );
}

interface UserListAddress {
  readonly blocked: boolean | null;
  readonly page: number;
}

function fromSearch(parameters: URLSearchParams): UserListAddress {
  const blocked = parameters.get('blocked');
  const page = Number(parameters.get('page') ?? '1');
  return {
    blocked: blocked === 'true' ? true : blocked === 'false' ? false : null,
    page: Number.isSafeInteger(page) && page >= 1 ? page : 1,
  };
}

function toHref({ blocked, page }: UserListAddress): string {
  const parameters = new URLSearchParams();
  if (blocked !== null) parameters.set('blocked', String(blocked));
  if (page > 1) parameters.set('page', String(page));
  const search = parameters.toString();
  return search === '' ? '/users' : `/users?${search}`;
}
