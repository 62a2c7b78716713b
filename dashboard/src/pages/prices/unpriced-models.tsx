import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../api/api-client.ts';
import { toUnpricedUsage } from '../../api/daily-series.ts';
import { catalogueMatchesQuery } from '../../api/queries.ts';
import { Identifier } from '../../components/identifier.tsx';
import { Notice } from '../../components/notice.tsx';
import { ServerButton } from '../../components/server-button.tsx';
import { formatQuantity, formatTokenQuantity } from '../../format/count.ts';
import { type KnownModel, knownModels } from './list-price.ts';
import classes from './unpriced-models.module.css';

interface UnpricedModelsProps {
  readonly days: readonly Schemas['DailyUsage'][];
  readonly priced: ReadonlySet<string>;
  readonly onSearch: (model: string) => void;
  readonly onAdd: (model: string) => void;
  readonly onAddKnown: (models: readonly KnownModel[]) => void;
}

/** Models in use that have no price. */
export function UnpricedModels({ days, priced, onSearch, onAdd, onAddKnown }: UnpricedModelsProps) {
  const models = toUnpricedUsage(days).models.filter(({ model }) => !priced.has(model));
  const names = models.map(({ model }) => model);
  const matches = useQuery({ ...catalogueMatchesQuery(names), enabled: names.length > 0 });
  if (models.length === 0) return null;
  const known = knownModels(names, matches.data);
  return (
    <Notice
      tone="warning"
      title="Used in the last 30 days without a price"
      action={
        known.length > 0 && (
          <ServerButton needs="change" size="xs" onClick={() => onAddKnown(known)}>
            Add {formatQuantity(known.length, 'list price')}
          </ServerButton>
        )
      }
    >
      <ul className={classes.models}>
        {models.map(({ model, tokens }) => (
          <li key={model} className={classes.item}>
            <span>
              <strong>
                <Identifier text={model} label="name of the model" />
              </strong>{' '}
              · {formatTokenQuantity(tokens)}
            </span>
            <Group gap={6}>
              <ServerButton
                needs="change"
                size="xs"
                variant="default"
                onClick={() => onSearch(model)}
                aria-label={`Find in catalogue: ${model}`}
              >
                Find in catalogue
              </ServerButton>
              <ServerButton
                needs="change"
                size="xs"
                variant="default"
                onClick={() => onAdd(model)}
                aria-label={`Set a price: ${model}`}
              >
                Set a price
              </ServerButton>
            </Group>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
