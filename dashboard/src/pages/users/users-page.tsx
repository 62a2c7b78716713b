import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { answerOf, api, type Schemas } from '../../api/api-client.ts';
import { dailyUsageQuery, usersQuery, workspaceQuery } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
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
import { Surface } from '../../components/surface.tsx';
import { TableSkeleton } from '../../components/table-skeleton.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { formatCount, formatTokens } from '../../format/count.ts';
import { formatUsd } from '../../format/money.ts';
import { BlockUserDialog } from './block-user-dialog.tsx';
import classes from './users-page.module.css';

type User = Schemas['User'];

const PER_PAGE = 25;
const FILTERS = [
  { label: 'All', blocked: null },
  { label: 'Blocked', blocked: true },
  { label: 'Not blocked', blocked: false },
] as const;

export function UsersPage() {
  const [parameters] = useSearchParams();
  const { blocked, page } = fromSearch(parameters);
  const users = useQuery(usersQuery({ blocked, page, perPage: PER_PAGE }));
  const { data: workspace } = useQuery(workspaceQuery);
  const { data: days } = useQuery(dailyUsageQuery);
  const unpricedToday = days?.at(-1)?.unpriced_tokens ?? 0;
  const [chosen, setChosen] = useState<User | null>(null);
  const [blockingAnyone, setBlockingAnyone] = useState(false);

  return (
    <>
      <PageHeader
        title="Users"
        description="The people and systems your agents work for, as named by user_id when a run starts."
        actions={
          <Button variant="default" onClick={() => setBlockingAnyone(true)}>
            Block a user
          </Button>
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
      {(users.data !== undefined || users.error === null) && (
        <Surface>
          {users.data === undefined ? (
            <TableSkeleton rows={8} />
          ) : users.data.items.length === 0 ? (
            <NoUsers filtered={blocked !== null} />
          ) : (
            <UserTable
              users={users.data.items}
              budgetUsd={workspace?.user_daily_budget_usd ?? null}
              onChoose={setChosen}
            />
          )}
          {users.data !== undefined && (
            <Pager
              page={page}
              perPage={PER_PAGE}
              total={users.data.total}
              hrefOf={(next) => toHref({ blocked, page: next })}
            />
          )}
        </Surface>
      )}
      <ChangeBlockDialog user={chosen} onClose={() => setChosen(null)} />
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
            <Button
              variant="default"
              size="xs"
              aria-label={`${user.blocked ? 'Unblock' : 'Block'} ${user.user_id}`}
              onClick={() => onChoose(user)}
            >
              {user.blocked ? 'Unblock' : 'Block'}
            </Button>
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

function ChangeBlockDialog({ user, onClose }: { user: User | null; onClose: () => void }) {
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: ({ user_id, blocked }: User) => {
      const params = { path: { user_id } };
      return answerOf(
        blocked
          ? api.POST('/v1/users/{user_id}/unblock', { params })
          : api.POST('/v1/users/{user_id}/block', { params }),
      );
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['users'] });
      onClose();
    },
  });
  const [last, setLast] = useState(user);
  if (user !== null && user !== last) {
    setLast(user);
    change.reset();
  }
  const shown = user ?? last;
  return (
    <ConfirmDialog
      opened={user !== null}
      title={shown?.blocked === true ? `Unblock ${shown.user_id}?` : `Block ${shown?.user_id ?? ''}?`}
      confirmLabel={shown?.blocked === true ? 'Unblock' : 'Block'}
      danger={shown?.blocked !== true}
      pending={change.isPending}
      error={change.error}
      onConfirm={() => user !== null && change.mutate(user)}
      onClose={onClose}
    >
      {shown?.blocked === true
        ? 'Runs and steps of this user are allowed again at once, within the other limits.'
        : 'From now on every run start and every step of this user is denied, also in runs that are running.'}
    </ConfirmDialog>
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
