import { Anchor, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Schemas } from '../../api/api-client.ts';
import { catalogueMatchesQuery, dailyUsageQuery, pricesQuery } from '../../api/queries.ts';
import { Allowed } from '../../components/allowed.tsx';
import type { Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Identifier } from '../../components/identifier.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryTable } from '../../components/query-table.tsx';
import { ServerButton } from '../../components/server-button.tsx';
import { Surface } from '../../components/surface.tsx';
import { useIntent } from '../../components/use-intent.ts';
import { useSearchParameters } from '../../components/use-search-parameters.ts';
import { describeTokenPrices } from '../../format/token-price.ts';
import { useRights } from '../../session/use-rights.ts';
import { AddKnownModelsDialog } from './add-known-models-dialog.tsx';
import { CatalogueDialog } from './catalogue-dialog.tsx';
import { DeactivatePriceDialog } from './deactivate-price-dialog.tsx';
import { differingListPrice, type KnownModel } from './list-price.ts';
import { NarrowCachePrices, perMillionColumns } from './per-million.tsx';
import { newPriceDraft, PriceDialog, type PriceDraft, priceDraft } from './price-dialog.tsx';
import classes from './prices-page.module.css';
import { UnpricedModels } from './unpriced-models.tsx';

type ModelPrice = Schemas['ModelPrice'];
type CataloguePrice = Schemas['CataloguePrice'];

export function PricesPage() {
  const prices = useQuery(pricesQuery);
  const daily = useQuery(dailyUsageQuery);
  const [parameters, setParameters] = useSearchParameters();
  const { mayChange } = useRights();
  const [draft, setDraft] = useState<PriceDraft | null>(null);
  const deactivating = useIntent<ModelPrice>();
  const addingKnown = useIntent<readonly KnownModel[]>();
  const names = prices.data?.map(({ model }) => model) ?? [];
  const matches = useQuery({ ...catalogueMatchesQuery(names), enabled: names.length > 0 });
  const matchOf = new Map(matches.data?.map((match) => [match.model, match]));
  const priced = new Set(names);
  const catalogueSearch = parameters.get('catalogue');
  const clearParameters = () => setParameters(new URLSearchParams(), { replace: true });
  /** The model for which a link asks for a price. */
  const wantedModel = parameters.get('add');
  const wantedDraft = useMemo(
    () => (wantedModel === null ? null : newPriceDraft(wantedModel)),
    [wantedModel],
  );
  const canOpenWanted = mayChange && prices.data !== undefined;
  const openCatalogue = (search: string) => setParameters(new URLSearchParams({ catalogue: search }));

  return (
    <>
      <PageHeader
        title="Prices"
        needs="change"
        description="The cost of each model per million tokens. A step has a price if its model matches a name here exactly. Price changes do not affect steps that are already reported."
        actions={
          <>
            <ServerButton needs="change" variant="default" onClick={() => setDraft(newPriceDraft(''))}>
              Add a price
            </ServerButton>
            <ServerButton needs="change" onClick={() => openCatalogue('')}>
              Add from catalogue
            </ServerButton>
          </>
        }
      />
      <div className="stack">
        {prices.data !== undefined && daily.data !== undefined && (
          <UnpricedModels
            days={daily.data}
            priced={priced}
            onSearch={openCatalogue}
            onAdd={(model) => setDraft(newPriceDraft(model))}
            onAddKnown={addingKnown.open}
          />
        )}
        <QueryTable
          label="Prices per million tokens"
          query={prices}
          columns={columnsOf({
            listPriceOf: (price) => differingListPrice(price, matchOf.get(price.model)),
            onEdit: (price, values) => setDraft(priceDraft(price, values)),
            onDeactivate: deactivating.open,
          })}
          rows={prices.data}
          keyOf={({ id }) => id}
          skeletonRows={5}
          empty={
            <EmptyState
              icon="prices"
              title="No prices yet"
              action={
                <ServerButton needs="change" onClick={() => openCatalogue('')}>
                  Add from catalogue
                </ServerButton>
              }
            >
              Without a price, tokens are counted, but their cost is unknown and does not count towards
              budgets.
            </EmptyState>
          }
          frame={Surface}
        />
      </div>
      <PriceDialog
        draft={draft ?? (canOpenWanted ? wantedDraft : null)}
        prices={prices.data ?? []}
        onClose={() => {
          setDraft(null);
          if (wantedModel !== null) clearParameters();
        }}
      />
      <CatalogueDialog search={catalogueSearch} onClose={clearParameters} />
      <AddKnownModelsDialog dialog={addingKnown} priced={priced} />
      <DeactivatePriceDialog dialog={deactivating} prices={prices.data ?? []} />
    </>
  );
}

interface PriceHandlers {
  /** Opens the form with the values of the price, or with others. */
  readonly onEdit: (price: ModelPrice, values?: CataloguePrice) => void;
  readonly onDeactivate: (price: ModelPrice) => void;
}

interface PriceColumnsOptions extends PriceHandlers {
  /** null: none, or the same. */
  readonly listPriceOf: (price: ModelPrice) => CataloguePrice | null;
}

const columnsOf = ({ listPriceOf, ...handlers }: PriceColumnsOptions): readonly Column<ModelPrice>[] => [
  {
    header: 'Model',
    className: classes.model,
    cell: (price) => (
      <>
        <Identifier text={price.model} label="name of the model" />
        <NarrowCachePrices price={price} />
        <ListPrice
          listed={listPriceOf(price)}
          label={`Review list price of ${price.model}`}
          onUse={(listed) => handlers.onEdit(price, listed)}
        />
        <div className={`narrow-only ${classes.actionsBelow}`}>
          <PriceActions price={price} {...handlers} />
        </div>
      </>
    ),
  },
  ...perMillionColumns({ wide: false }),
  {
    header: 'Actions',
    isHeaderHidden: true,
    align: 'end',
    wide: true,
    cell: (price) => <PriceActions price={price} {...handlers} />,
  },
];

interface ListPriceProps {
  readonly listed: CataloguePrice | null;
  readonly label: string;
  readonly onUse: (listed: CataloguePrice) => void;
}

/** Says what the catalogue has, where the price differs from it. */
function ListPrice({ listed, label, onUse }: ListPriceProps) {
  if (listed === null) return null;
  return (
    <p className={classes.listed}>
      Differs from the list price of {listed.provider} ({listed.as_of}): {describeTokenPrices(listed)}.{' '}
      <Allowed needs="change">
        <Anchor
          component="button"
          type="button"
          c="var(--accent-text)"
          fz="inherit"
          fw={500}
          aria-label={label}
          onClick={() => onUse(listed)}
        >
          Review list price
        </Anchor>
      </Allowed>
    </p>
  );
}

function PriceActions({ price, onEdit, onDeactivate }: PriceHandlers & { price: ModelPrice }) {
  return (
    <Group gap={6} justify="flex-end" wrap="nowrap">
      <ServerButton
        needs="change"
        variant="default"
        size="xs"
        aria-label={`Edit ${price.model}`}
        onClick={() => onEdit(price)}
      >
        Edit
      </ServerButton>
      <ServerButton
        needs="change"
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
