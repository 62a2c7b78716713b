import type { Column } from '../../components/data-table.tsx';
import { formatExactUsd } from '../../format/money.ts';
import { formatPerMillion, type TokenPrices } from '../../format/token-price.ts';
import classes from './per-million.module.css';

/** A price per million tokens; the tooltip shows the stored price per token. */
export function PerMillion({ perToken }: { perToken: number }) {
  return <span title={`${formatExactUsd(perToken)} per token`}>{formatPerMillion(perToken)}</span>;
}

/** A price of the cache. Without one, its tokens cost as much as other input. */
function CachePerMillion({ perToken }: { perToken: number | null }) {
  if (perToken !== null) return <PerMillion perToken={perToken} />;
  return (
    <span className={classes.none} title="No price of its own: the input price applies">
      as input
    </span>
  );
}

export const perMillionColumns = ({ wide }: { wide: boolean }): readonly Column<TokenPrices>[] => [
  {
    header: 'Input / 1M',
    align: 'end',
    wide,
    cell: (price) => <PerMillion perToken={price.input_cost_per_token} />,
  },
  {
    header: 'Cache read / 1M',
    align: 'end',
    wide: true,
    cell: (price) => <CachePerMillion perToken={price.cache_read_cost_per_token} />,
  },
  {
    header: 'Cache write / 1M',
    align: 'end',
    wide: true,
    cell: (price) => <CachePerMillion perToken={price.cache_write_cost_per_token} />,
  },
  {
    header: 'Output / 1M',
    align: 'end',
    wide,
    cell: (price) => <PerMillion perToken={price.output_cost_per_token} />,
  },
];

/** The prices of the cache, below the name of the model where the table is too narrow for their columns. */
export function NarrowCachePrices({ price }: { price: TokenPrices }) {
  const { cache_read_cost_per_token: read, cache_write_cost_per_token: write } = price;
  if (read === null && write === null) return null;
  return (
    <div className={`narrow-only ${classes.narrow}`}>
      {read !== null && (
        <>
          <PerMillion perToken={read} /> cache read
        </>
      )}
      {read !== null && write !== null && ' · '}
      {write !== null && (
        <>
          <PerMillion perToken={write} /> cache write
        </>
      )}
    </div>
  );
}
