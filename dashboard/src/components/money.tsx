import { formatExactUsd, formatUsd } from '../format/money.ts';

/** A rounded amount; the tooltip shows every digit. */
export function Money({ usd }: { usd: number }) {
  return <span title={formatExactUsd(usd)}>{formatUsd(usd)}</span>;
}

/** The cost of tokens. Without a price it is unknown, which is not the same as zero. */
export function Cost({ usd, tokens }: { usd: number | null; tokens: number }) {
  if (usd === null && tokens > 0) {
    return (
      <span className="unpriced" title="No price was set for this model when the tokens were reported">
        no price
      </span>
    );
  }
  return usd === null ? <span>–</span> : <Money usd={usd} />;
}
