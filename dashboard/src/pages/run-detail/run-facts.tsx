import type { Schemas } from '../../api/api-client.ts';
import { Facts } from '../../components/facts.tsx';
import { Money } from '../../components/money.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Surface } from '../../components/surface.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { Tokens } from '../../components/tokens.tsx';
import { formatTokens } from '../../format/count.ts';
import { formatDuration } from '../../format/time.ts';
import classes from './run-facts.module.css';
import { tokensOf } from './step-name.ts';

type Run = Schemas['Run'];

export function RunFacts({ run }: { run: Run }) {
  const unpricedTokens = run.steps
    .filter(({ cost_usd }) => cost_usd === null)
    .reduce((sum, step) => sum + tokensOf(step), 0);
  return (
    <Surface>
      <div className={classes.body}>
        <Facts
          facts={[
            ['Status', <StatusBadge key="status" status={run.status} />],
            ['Cost', <RunCost key="cost" usd={run.total_cost_usd} unpricedTokens={unpricedTokens} />],
            ['Tokens', <Tokens key="tokens" count={run.total_tokens} />],
            ['Duration', run.status === 'BLOCKED' ? '–' : formatDuration(run.duration_ms)],
            ['Started', <Timestamp key="started" iso={run.started_at} />],
            ['Ended', run.ended_at === null ? '–' : <Timestamp key="ended" iso={run.ended_at} />],
          ]}
        />
        {run.metadata !== null && Object.keys(run.metadata).length > 0 && (
          <div className={classes.metadata}>
            <h2 className={classes.heading}>Metadata</h2>
            <Facts
              facts={Object.entries(run.metadata).map(([name, value]) => [name, toText(value)] as const)}
            />
          </div>
        )}
        <p className={classes.id}>
          Run ID <span className="mono">{run.id}</span>
        </p>
      </div>
    </Surface>
  );
}

function RunCost({ usd, unpricedTokens }: { usd: number; unpricedTokens: number }) {
  if (unpricedTokens === 0) return <Money usd={usd} />;
  return (
    <>
      {usd > 0 && (
        <>
          <Money usd={usd} /> +{' '}
        </>
      )}
      <span className="unpriced">{formatTokens(unpricedTokens)} tokens without a price</span>
    </>
  );
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
