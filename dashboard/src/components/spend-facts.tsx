import type { ReactNode } from 'react';
import { formatTokenQuantity } from '../format/count.ts';
import { Money } from './money.tsx';

interface UnpricedSpend {
  readonly total_usd: number;
  readonly unpriced_tokens: number;
}

/** A spend, and the tokens that it does not have: without a price their cost is unknown, which is not the same as zero. */
export function spendFacts(
  name: string,
  { total_usd, unpriced_tokens }: UnpricedSpend,
): [string, ReactNode][] {
  const spend: [string, ReactNode] = [name, <Money key="spend" usd={total_usd} />];
  if (unpriced_tokens === 0) return [spend];
  const tokens = (
    <span key="unpriced" className="unpriced">
      {formatTokenQuantity(unpriced_tokens)}
    </span>
  );
  return [spend, ['Without a price', tokens]];
}
