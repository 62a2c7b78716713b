import type { AmountFormat } from '../format/comparison.ts';
import { formatExactUsd, formatUsd } from '../format/money.ts';

interface MoneyProps {
  readonly usd: number;
  /** Where the amount is compared with another. */
  readonly format?: AmountFormat;
}

/** A rounded amount; the tooltip shows every digit. */
export function Money({ usd, format = formatUsd }: MoneyProps) {
  return <span title={formatExactUsd(usd)}>{format(usd)}</span>;
}

interface KnownSpendProps extends MoneyProps {
  readonly unpricedTokens: number;
}

/** If no token has a price, the amount is unknown, which is not the same as zero. */
export function KnownSpend({ unpricedTokens, ...money }: KnownSpendProps) {
  if (money.usd === 0 && unpricedTokens > 0) return <span className="unpriced">Unknown</span>;
  return <Money {...money} />;
}

interface CostProps {
  readonly usd: number | null;
  readonly tokens: number;
  readonly format?: AmountFormat;
}

/** The cost of tokens. Without a price it is unknown, which is not the same as zero. */
export function Cost({ usd, tokens, format = formatUsd }: CostProps) {
  if (usd === null && tokens > 0) {
    return (
      <span className="unpriced" title="No price was set for this model when the tokens were reported">
        no price
      </span>
    );
  }
  return usd === null ? <span>–</span> : <Money usd={usd} format={format} />;
}
