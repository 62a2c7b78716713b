import type { Schemas } from '../../api/api-client.ts';
import type { Column } from '../../components/data-table.tsx';
import { formatExactUsd } from '../../format/money.ts';
import { toPerMillion } from '../../format/token-price.ts';

type TokenPrices = Pick<Schemas['ModelPrice'], 'input_cost_per_token' | 'output_cost_per_token'>;

/** A price per million tokens; the tooltip shows the stored price per token. */
export function PerMillion({ perToken }: { perToken: number }) {
  return (
    <span title={`${formatExactUsd(perToken)} per token`}>
      {formatExactUsd(Number(toPerMillion(perToken)))}
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
    header: 'Output / 1M',
    align: 'end',
    wide,
    cell: (price) => <PerMillion perToken={price.output_cost_per_token} />,
  },
];
