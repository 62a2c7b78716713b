import { Link } from 'wouter';
import type { Schemas } from '../../api/api-client.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import rankedClasses from '../../components/ranked-bars.module.css';
import { formatCount } from '../../format/count.ts';
import { denialOf } from '../../format/guardrails.ts';
import { listHref } from '../../format/list-address.ts';

/** Most frequent first; each reason leads to its runs. */
export function UserDenials({ user }: { user: Schemas['UserDetail'] }) {
  if (user.denials.length === 0) {
    return (
      <EmptyState icon="guardrails" title="Nothing denied in these days">
        Denials appear here when a run or step of this user reaches a limit.
      </EmptyState>
    );
  }
  const denials = [...user.denials].sort((left, right) => right.count - left.count);
  const most = denials[0]?.count ?? 1;
  const days = { from: user.by_day[0]?.day ?? null, to: user.by_day.at(-1)?.day ?? null };
  return (
    <ul className={rankedClasses.list}>
      {denials.map(({ reason, count }) => (
        <li key={reason} className={rankedClasses.item}>
          <span className={rankedClasses.name}>
            <Link
              href={listHref('/runs', {
                filters: { user: user.user_id, deny_reason: reason, ...days },
                page: 1,
              })}
              className={rankedClasses.link}
            >
              {denialOf(reason).label}
            </Link>
          </span>
          <span className={rankedClasses.value}>{formatCount(count)}</span>
          <span className={rankedClasses.bar} style={{ width: `${(count / most) * 100}%` }} />
        </li>
      ))}
    </ul>
  );
}
