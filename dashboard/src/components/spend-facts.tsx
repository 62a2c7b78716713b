import type { ReactNode } from 'react';
import { formatTokenQuantity } from '../format/count.ts';
import { KnownSpend } from './money.tsx';

interface SpendAndUnpriced {
  readonly total_usd: number;
  readonly unpriced_tokens: number;
}

/** A spend, and the tokens that it does not have because they have no price. */
export function spendFacts(
  name: string,
  { total_usd, unpriced_tokens }: SpendAndUnpriced,
): [string, ReactNode][] {
  const spend = <KnownSpend key="spend" usd={total_usd} unpricedTokens={unpriced_tokens} />;
  if (unpriced_tokens === 0) return [[name, spend]];
  const tokens = (
    <span key="unpriced" className="unpriced">
      {formatTokenQuantity(unpriced_tokens)}
    </span>
  );
  return [
    [name, spend],
    [`${name}, without a price`, tokens],
  ];
}
