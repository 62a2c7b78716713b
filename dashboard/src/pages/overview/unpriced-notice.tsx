import type { UnpricedUsage } from '../../api/daily-series.ts';
import { Allowed } from '../../components/allowed.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Notice } from '../../components/notice.tsx';
import { formatCount, formatTokenQuantity, formatTokens } from '../../format/count.ts';

const MODELS_NAMED = 3;

/** Warns that tokens without a price are missing from all amounts, and names their models. */
export function UnpricedNotice({ usage, period }: { usage: UnpricedUsage; period: string }) {
  if (usage.tokens === 0) return null;
  const named = usage.models.slice(0, MODELS_NAMED);
  const rest = usage.models.length - named.length;
  return (
    <Notice
      tone="warning"
      title={`${formatTokenQuantity(usage.tokens)} in ${period} ${usage.tokens === 1 ? 'has' : 'have'} no price`}
      action={
        <Allowed needs="change">
          <LinkButton href="/prices" variant="default" size="xs">
            Add prices
          </LinkButton>
        </Allowed>
      }
    >
      They are not included in any amount and do not count towards budgets.{' '}
      {named.length > 0 && (
        <>
          Without a price:{' '}
          {named.map(({ model, tokens }, index) => (
            <span key={model}>
              {index > 0 && ', '}
              <span className="mono">{model}</span> ({formatTokens(tokens)})
            </span>
          ))}
          {rest > 0 && ` and ${formatCount(rest)} more`}.
        </>
      )}
    </Notice>
  );
}
