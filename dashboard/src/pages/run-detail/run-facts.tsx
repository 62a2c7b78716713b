import type { Schemas } from '../../api/api-client.ts';
import { CopyIcon } from '../../components/copy-button.tsx';
import { Facts } from '../../components/facts.tsx';
import { Money } from '../../components/money.tsx';
import { Spend } from '../../components/spend.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Surface } from '../../components/surface.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { Tokens } from '../../components/tokens.tsx';
import { useNow } from '../../components/use-now.ts';
import { formatDuration } from '../../format/time.ts';
import { GatewayOrigin, ownMetadata } from './gateway-origin.tsx';
import { describeLease, leaseLeftMs } from './lease.ts';
import classes from './run-facts.module.css';
import { RunLimits } from './run-limits.tsx';
import { tokensOf } from './step-name.ts';
import { TokenPartsTable } from './token-parts-table.tsx';

type Run = Schemas['Run'];

interface RunFactsProps {
  readonly run: Run;
  /** When the run was received, by the clock of this page. */
  readonly receivedAt: number;
}

export function RunFacts({ run, receivedAt }: RunFactsProps) {
  const metadata = ownMetadata(run.metadata);
  return (
    <Surface>
      <div className={classes.body}>
        <Facts
          facts={[
            ['Status', <StatusBadge key="status" status={run.status} />],
            ['Cost', <RunCost key="cost" run={run} />],
            ['Tokens', <Tokens key="tokens" count={run.total_tokens} />],
            ['Duration', run.status === 'BLOCKED' ? '–' : formatDuration(run.duration_ms)],
            ['Started', <Timestamp key="started" iso={run.started_at} isExact />],
            ['Ended', run.ended_at === null ? '–' : <Timestamp key="ended" iso={run.ended_at} isExact />],
          ]}
        />
        {run.status === 'RUNNING' && <Lease run={run} receivedAt={receivedAt} />}
        {run.status !== 'BLOCKED' && <RunLimits run={run} />}
        {run.total_tokens > 0 && (
          <div className={classes.metadata}>
            <h2 className={classes.heading}>Tokens and their cost</h2>
            <TokenPartsTable label="Tokens of the run and their cost" steps={run.steps} />
          </div>
        )}
        {metadata.length > 0 && (
          <div className={classes.metadata}>
            <h2 className={classes.heading}>Metadata</h2>
            <Facts facts={metadata.map(([name, value]) => [name, toText(value)] as const)} />
          </div>
        )}
        <p className={classes.origin}>
          <GatewayOrigin metadata={run.metadata} />
        </p>
        <p className={classes.id}>
          Run ID <span className="mono">{run.id}</span>
          <CopyIcon text={run.id} label="run ID" />
        </p>
      </div>
    </Surface>
  );
}

function Lease({ run, receivedAt }: RunFactsProps) {
  const now = useNow(1_000);
  const leftMs = leaseLeftMs(run, { receivedAt, now });
  return <p className={classes.lease}>{describeLease(leftMs)}</p>;
}

function RunCost({ run: { steps, total_cost_usd: usd, held_usd } }: { run: Run }) {
  const unpricedTokens = steps
    .filter(({ cost_usd }) => cost_usd === null)
    .reduce((sum, step) => sum + tokensOf(step), 0);
  return (
    <>
      <Spend usd={usd} unpricedTokens={unpricedTokens} />
      {held_usd > 0 && (
        <span className={classes.held}>
          {' + '}
          <Money usd={held_usd} /> held
        </span>
      )}
    </>
  );
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
