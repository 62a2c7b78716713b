import type { Schemas } from '../../api/api-client.ts';
import { Facts } from '../../components/facts.tsx';
import { Money } from '../../components/money.tsx';
import { spendFacts } from '../../components/spend-facts.tsx';
import { Surface } from '../../components/surface.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { Tokens } from '../../components/tokens.tsx';
import { formatCount } from '../../format/count.ts';
import { formatUsd } from '../../format/money.ts';
import classes from './user-facts.module.css';

type UserDetail = Schemas['UserDetail'];

export function UserFacts({ user, budgetUsd }: { user: UserDetail; budgetUsd: number | null }) {
  const days = user.by_day.length;
  return (
    <Surface>
      <div className={classes.body}>
        <Facts
          facts={[
            ...spendFacts(`Spend, ${days} days`, user),
            [
              'Spend today',
              <span key="today">
                <Money usd={user.spend_today_usd} />
                {budgetUsd !== null && ` of ${formatUsd(budgetUsd)}`}
              </span>,
            ],
            ['Held now', <Money key="held" usd={user.held_usd} />],
            [`Tokens, ${days} days`, <Tokens key="tokens" count={user.total_tokens} />],
            ['Runs, ever', formatCount(user.run_count)],
            [
              'Last seen',
              user.last_seen_at === null ? (
                'Never'
              ) : (
                <Timestamp key="seen" iso={user.last_seen_at} relative />
              ),
            ],
          ]}
        />
      </div>
    </Surface>
  );
}
