import { Link } from 'wouter';
import type { Schemas } from '../../api/api-client.ts';
import { BarsSkeleton } from '../../components/bars-skeleton.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Money } from '../../components/money.tsx';
import classes from '../../components/ranked-bars.module.css';
import { formatQuantity } from '../../format/count.ts';
import { userHref } from '../../format/page-address.ts';

const USERS_SHOWN = 7;

export function TopUsers({ users }: { users: Schemas['UsageSummary']['by_user'] | undefined }) {
  if (users === undefined) return <BarsSkeleton />;
  if (users.length === 0) {
    return (
      <EmptyState icon="users" title="No users yet">
        Every run names the user it works for. Users are ranked here by spend.
      </EmptyState>
    );
  }
  const most = Math.max(users[0]?.total_usd ?? 0, Number.MIN_VALUE);
  return (
    <ul className={classes.list}>
      {users.slice(0, USERS_SHOWN).map(({ user_id, total_usd, run_count }) => (
        <li key={user_id} className={classes.item}>
          <span className={classes.name}>
            <Link href={userHref(user_id)} className={classes.link}>
              {user_id}
            </Link>
            <span className={classes.detail}>{formatQuantity(run_count, 'run')}</span>
          </span>
          <span className={classes.value}>
            <Money usd={total_usd} />
          </span>
          <span className={classes.bar} style={{ width: `${(total_usd / most) * 100}%` }} />
        </li>
      ))}
    </ul>
  );
}
