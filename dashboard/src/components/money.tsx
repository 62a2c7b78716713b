import { formatExactUsd, formatUsd } from '../format/money.ts';

/** An amount to what matters; the pointer brings up every digit. */
export function Money({ usd }: { usd: number }) {
  return <span title={formatExactUsd(usd)}>{formatUsd(usd)}</span>;
}

/** The cost of something that used tokens: without a price it is unknown, which is not the same as nothing. */
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
