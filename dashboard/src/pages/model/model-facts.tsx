import type { Schemas } from '../../api/api-client.ts';
import { Facts } from '../../components/facts.tsx';
import { Money } from '../../components/money.tsx';
import { spendFacts } from '../../components/spend-facts.tsx';
import { Surface } from '../../components/surface.tsx';
import { Tokens } from '../../components/tokens.tsx';
import { formatCount } from '../../format/count.ts';
import { formatDuration } from '../../format/time.ts';
import { formatPercent, TOKEN_PARTS, tokenPartsOf } from './model-bars.ts';
import classes from './model-facts.module.css';

type ModelDetail = Schemas['ModelDetail'];

export function ModelFacts({ model }: { model: ModelDetail }) {
  const { error_rate, completed_count, failed_count, p50_duration_ms, p95_duration_ms } = model;
  const durationOf = (ms: number | null) => (ms === null ? '–' : formatDuration(ms));
  return (
    <Surface>
      <div className={classes.body}>
        <Facts
          facts={[
            ...spendFacts('Spend', model),
            ['Saved by cache', <Money key="saved" usd={model.cache_saved_usd} />],
            ['Calls', formatCount(completed_count + failed_count)],
            ['Error rate', error_rate === null ? '–' : formatPercent(error_rate * 100)],
            ['p50 duration', durationOf(p50_duration_ms)],
            ['p95 duration', durationOf(p95_duration_ms)],
          ]}
        />
        <h2 className={classes.heading}>Tokens</h2>
        <Facts facts={tokenPartsOf(model).map(toFact)} />
      </div>
    </Surface>
  );
}

function toFact(count: number, index: number) {
  const name = TOKEN_PARTS[index]?.name ?? '';
  return [name, <Tokens key={name} count={count} />] as const;
}
