import { formatTokenQuantity } from '../format/count.ts';
import { Money } from './money.tsx';
import classes from './spend.module.css';

/** An amount with the tokens that it does not have: without a price their cost is unknown, which is not the same as zero. */
export function Spend({ usd, unpricedTokens }: { usd: number; unpricedTokens: number }) {
  if (unpricedTokens === 0) return <Money usd={usd} />;
  return (
    <span className={classes.spend}>
      {usd > 0 && (
        <>
          <Money usd={usd} />
          {' + '}
        </>
      )}
      <span className="unpriced">{formatTokenQuantity(unpricedTokens)} without a price</span>
    </span>
  );
}
