import { formatExactUsd } from '../../format/money.ts';
import { toPerMillion } from '../../format/token-price.ts';

/** A price as people compare it; the pointer brings up what is stored. */
export function PerMillion({ perToken }: { perToken: number }) {
  return (
    <span title={`${formatExactUsd(perToken)} per token`}>
      {formatExactUsd(Number(toPerMillion(perToken)))}
    </span>
  );
}
