import { useQuery } from '@tanstack/react-query';
import { currentData, pricesQuery, readAnew, workspaceQuery } from '../../api/queries.ts';
import { LinkButton } from '../../components/link-button.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { addPriceHref, PLACES, type PriceSetting } from '../../format/denial-remedies.ts';
import { priceSettingSince } from '../../format/since-denial.ts';
import { DenialAction } from './denial-action.tsx';
import classes from './denial-actions.module.css';

interface PriceActionProps {
  readonly setting: PriceSetting;
  /** null if the step names none. */
  readonly model: string | null;
}

/** A model call is denied without a price, or without an estimate, which needs one. */
export function PriceAction({ setting, model }: PriceActionProps) {
  const workspace = currentData(useQuery(readAnew(workspaceQuery)));
  const prices = currentData(useQuery(readAnew(pricesQuery)));
  if (workspace === undefined || prices === undefined) return null;
  const settingSince = priceSettingSince(workspace, setting);
  const isPriced = prices.some((price) => price.model === model);
  const needsEstimate = setting === 'require_holds';
  const place = needsEstimate ? (
    <TextLink href={PLACES.holds}>Holds</TextLink>
  ) : (
    <TextLink href={PLACES.unpricedModels}>Models without a price</TextLink>
  );
  if (settingSince === null && model === null) {
    return <p className={classes.text}>The step names no model: the agent must send it. {place}</p>;
  }
  if (settingSince === null && isPriced && needsEstimate) {
    return (
      <p className={classes.text}>
        {model} has a price now: the agent must send an estimate with the call. {place}
      </p>
    );
  }
  return (
    <DenialAction
      since={settingSince ?? (isPriced ? `${model} has a price now.` : null)}
      needs="change"
      help={`add a price for ${model}`}
    >
      <LinkButton href={addPriceHref(model ?? '')} variant="default" size="xs">
        Add a price for this model
      </LinkButton>
      {place}
    </DenialAction>
  );
}
