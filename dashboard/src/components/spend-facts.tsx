import type { ReactNode } from 'react';
import { formatTokenQuantity } from '../format/count.ts';
import { Money } from './money.tsx';

interface SpendAndUnpriced {
  readonly total_usd: number;
  readonly unpriced_tokens: number;
}

/** A spend, and the tokens that it does not have: without a price their cost is unknown, which is not the same as zero. */
export function spendFacts(
  name: string,
  { total_usd, unpriced_tokens }: SpendAndUnpriced,
): [string, ReactNode][] {
  const known: ReactNode = <Money key="spend" usd={total_usd} />;
  if (unpriced_tokens === 0) return [[name, known]];
  const isUnknown = total_usd === 0;
  return [
    [name, isUnknown ? unpriced('Unknown') : known],
    [`${name}, without a price`, unpriced(formatTokenQuantity(unpriced_tokens))],
  ];
}

function unpriced(text: string): ReactNode {
  return (
    <span key={text} className="unpriced">
      {text}
    </span>
  );
}
