import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../../api/api-client.ts';
import { dailyUsageQuery, pricesQuery } from '../../api/queries.ts';
import type { Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryTable } from '../../components/query-table.tsx';
import { ServerButton } from '../../components/server-button.tsx';
import { Surface } from '../../components/surface.tsx';
import { useIntent } from '../../components/use-intent.ts';
import { useSearchParameters } from '../../components/use-search-parameters.ts';
import { toPerMillion } from '../../format/token-price.ts';
import { CatalogueDialog } from './catalogue-dialog.tsx';
import { DeactivatePriceDialog } from './deactivate-price-dialog.tsx';
import { perMillionColumns } from './per-million.tsx';
import { PriceDialog, type PriceDraft } from './price-dialog.tsx';
import classes from './prices-page.module.css';
import { UnpricedModels } from './unpriced-models.tsx';

type ModelPrice = Schemas['ModelPrice'];

export function PricesPage() {
  const prices = useQuery(pricesQuery);
  const daily = useQuery(dailyUsageQuery);
  const [parameters, setParameters] = useSearchParameters();
  const [draft, setDraft] = useState<PriceDraft | null>(null);
  const deactivating = useIntent<ModelPrice>();
  const catalogueSearch = parameters.get('catalogue');
  const openCatalogue = (search: string) => setParameters(new URLSearchParams({ catalogue: search }));

  return (
    <>
      <PageHeader
        title="Prices"
        description="The cost of each model per million tokens. A step has a price if its model matches a name here exactly. Price changes do not affect steps that are already reported."
        actions={
          <>
            <ServerButton
              variant="default"
              onClick={() => setDraft({ model: '', input: '', output: '', edited: null })}
            >
              Add a price
            </ServerButton>
            <ServerButton onClick={() => openCatalogue('')}>Add from catalogue</ServerButton>
          </>
        }
      />
      <div className="stack">
        {prices.data !== undefined && daily.data !== undefined && (
          <UnpricedModels
            days={daily.data}
            priced={new Set(prices.data.map(({ model }) => model))}
            onSearch={openCatalogue}
            onAdd={(model) => setDraft({ model, input: '', output: '', edited: null })}
          />
        )}
        <QueryTable
          label="Prices per million tokens"
          query={prices}
          columns={columnsOf({
            onEdit: (price) =>
              setDraft({
                model: price.model,
                input: toPerMillion(price.input_cost_per_token),
                output: toPerMillion(price.output_cost_per_token),
                edited: price,
              }),
            onDeactivate: deactivating.open,
          })}
          rows={prices.data}
          keyOf={({ id }) => id}
          skeletonRows={5}
          empty={
            <EmptyState
              icon="prices"
              title="No prices yet"
              action={<ServerButton onClick={() => openCatalogue('')}>Add from catalogue</ServerButton>}
            >
              Without a price, tokens are counted, but their cost is unknown and does not count towards
              budgets.
            </EmptyState>
          }
          frame={Surface}
        />
      </div>
      <PriceDialog draft={draft} prices={prices.data ?? []} onClose={() => setDraft(null)} />
      <CatalogueDialog
        search={catalogueSearch}
        onClose={() => setParameters(new URLSearchParams(), { replace: true })}
      />
      <DeactivatePriceDialog dialog={deactivating} prices={prices.data ?? []} />
    </>
  );
}

interface PriceHandlers {
  readonly onEdit: (price: ModelPrice) => void;
  readonly onDeactivate: (price: ModelPrice) => void;
}

const columnsOf = (handlers: PriceHandlers): readonly Column<ModelPrice>[] => [
  {
    header: 'Model',
    className: classes.model,
    cell: (price) => (
      <>
        {price.model}
        <div className={`narrow-only ${classes.actionsBelow}`}>
          <PriceActions price={price} {...handlers} />
        </div>
      </>
    ),
  },
  ...perMillionColumns({ wide: false }),
  {
    header: 'Actions',
    align: 'end',
    wide: true,
    cell: (price) => <PriceActions price={price} {...handlers} />,
  },
];

function PriceActions({ price, onEdit, onDeactivate }: PriceHandlers & { price: ModelPrice }) {
  return (
    <Group gap={6} justify="flex-end">
      <ServerButton
        variant="default"
        size="xs"
        aria-label={`Edit ${price.model}`}
        onClick={() => onEdit(price)}
      >
        Edit
      </ServerButton>
      <ServerButton
        variant="default"
        size="xs"
        aria-label={`Deactivate ${price.model}`}
        onClick={() => onDeactivate(price)}
      >
        Deactivate
      </ServerButton>
    </Group>
  );
}
