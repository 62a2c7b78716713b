import type { Denials } from '../../api/daily-series.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { formatCount } from '../../format/count.ts';
import { denialOf } from '../../format/guardrails.ts';
import { BarsSkeleton } from './bars-skeleton.tsx';
import classes from './ranked-bars.module.css';

export function DenialsToday({ denials }: { denials: Denials | null }) {
  if (denials === null) return <BarsSkeleton />;
  if (denials.total === 0) {
    return (
      <EmptyState icon="guardrails" title="Nothing denied today">
        Denials appear here when a run or step reaches a limit.{' '}
        <TextLink href="/guardrails">Review limits</TextLink>
      </EmptyState>
    );
  }
  const most = denials.reasons[0]?.count ?? 1;
  return (
    <>
      <ul className={classes.list}>
        {denials.reasons.map(({ reason, count }) => (
          <li key={reason} className={classes.item}>
            <span className={classes.name}>{denialOf(reason).label}</span>
            <span className={classes.value}>{formatCount(count)}</span>
            <span className={classes.bar} data-tone="warning" style={{ width: `${(count / most) * 100}%` }} />
          </li>
        ))}
      </ul>
      <p className={classes.more}>
        <TextLink href="/runs?status=BLOCKED">See blocked runs</TextLink>
      </p>
    </>
  );
}
