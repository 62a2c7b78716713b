import { Modal, Stack, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useMutationState, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Schemas } from '../../api/api-client.ts';
import { ApiError } from '../../api/api-error.ts';
import { catalogueMatchesQuery, catalogueQuery, pricesQuery, visibleData } from '../../api/queries.ts';
import type { Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Icon } from '../../components/icon.tsx';
import { MissingRight } from '../../components/missing-right.tsx';
import { QueryTable } from '../../components/query-table.tsx';
import { ServerButton } from '../../components/server-button.tsx';
import classes from './catalogue-dialog.module.css';
import { NarrowCachePrices, PerMillion, perMillionColumns } from './per-million.tsx';
import { putPrice } from './put-price.ts';

/** An entry with the name under which its price is added. */
type Row = Schemas['CataloguePrice'] & { readonly addedAs: string };

const SEARCH_DELAY_MS = 200;

/** Adds public list prices. It never replaces an existing price. */
export function CatalogueDialog({ search, onClose }: { search: string | null; onClose: () => void }) {
  const [last, setLast] = useState(search);
  if (search !== null && search !== last) setLast(search);
  const shown = search ?? last;
  return (
    <Modal
      opened={search !== null}
      onClose={onClose}
      size="xl"
      title="Add from catalogue"
      closeButtonProps={{ 'aria-label': 'Close catalogue' }}
    >
      {shown !== null && <Catalogue search={shown} />}
    </Modal>
  );
}

function Catalogue({ search }: { search: string }) {
  const [text, setText] = useState(search);
  const [query] = useDebouncedValue(text.trim(), SEARCH_DELAY_MS);
  const catalogue = useQuery(catalogueQuery(query));
  const matches = useQuery({ ...catalogueMatchesQuery([query]), enabled: query !== '' });
  const named = matches.data?.find(({ model }) => model === query)?.price ?? null;
  const list = visibleData(catalogue)?.map((price): Row => {
    const isNamed = named !== null && price.provider === named.provider && price.model === named.model;
    const isSpelling = query !== search && query.toLowerCase() === price.model.toLowerCase();
    // The price of a dated name is added under that name: a step has a price only if its model matches exactly.
    return { ...price, addedAs: isNamed && !isSpelling ? query : price.model };
  });
  const prices = useQuery(pricesQuery);
  const asOf = list?.[0]?.as_of;

  return (
    <Stack gap="md">
      <MissingRight needs="change" />
      <TextInput
        label="Search models"
        description={
          asOf === undefined
            ? 'Public list prices included with this service'
            : `Public list prices as of ${asOf}. Check them against your contract; you can edit them after adding.`
        }
        placeholder="gpt-4o, claude, gemini …"
        leftSection={<Icon name="search" size={15} />}
        maxLength={255}
        data-autofocus
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <QueryTable
        label="Catalogue"
        query={catalogue}
        columns={columnsOf(new Set(prices.data?.map(({ model }) => model)))}
        rows={list}
        keyOf={({ provider, model }) => `${provider} ${model}`}
        skeletonRows={6}
        empty={
          <EmptyState icon="search" title="Nothing found">
            The catalogue has no model with this name. Close it and use “Add a price” instead.
          </EmptyState>
        }
        frame={Results}
      />
    </Stack>
  );
}

function Results({ children }: { children: ReactNode }) {
  return <div className={classes.results}>{children}</div>;
}

const columnsOf = (priced: ReadonlySet<string>): readonly Column<Row>[] => [
  {
    header: 'Model',
    cell: (price) => (
      <>
        <span className={classes.model}>{price.model}</span>
        <div className={classes.provider}>
          {price.provider}
          {price.has_other_prices &&
            ' · base price; long prompts, peak hours or longer caching may cost more'}
        </div>
        {price.addedAs !== price.model && (
          <div className={classes.provider}>The list price of {price.addedAs}, added under this name</div>
        )}
        <div className="narrow-only">
          <PerMillion perToken={price.input_cost_per_token} /> in ·{' '}
          <PerMillion perToken={price.output_cost_per_token} /> out
        </div>
        <NarrowCachePrices price={price} />
        <AddError price={price} />
      </>
    ),
  },
  ...perMillionColumns({ wide: true }),
  {
    header: 'Action',
    align: 'end',
    cell: (price) => <AddAction price={price} isPriced={priced.has(price.addedAs)} />,
  },
];

const addKeyOf = ({ provider, model, addedAs }: Row) => ['add-price', provider, model, addedAs];

function AddAction({ price, isPriced }: { price: Row; isPriced: boolean }) {
  const queryClient = useQueryClient();
  const add = useMutation({
    mutationKey: addKeyOf(price),
    // Discards the error when its row is removed.
    gcTime: 0,
    mutationFn: async ({ addedAs, ...listed }: Row) => {
      // Someone else may have set a price since the list was loaded.
      const current = await queryClient.fetchQuery({ ...pricesQuery, staleTime: 0 });
      if (current.some(({ model }) => model === addedAs)) {
        throw new ApiError({
          status: 409,
          detail: 'This model already has a price. It was not changed.',
          requestId: null,
        });
      }
      return putPrice({ ...listed, model: addedAs, is_active: true });
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: pricesQuery.queryKey }),
  });
  return isPriced ? (
    <span className={classes.priced}>
      <Icon name="check" size={15} /> Has a price
    </span>
  ) : (
    <ServerButton
      needs="change"
      size="xs"
      variant="default"
      loading={add.isPending}
      aria-label={`Add ${price.addedAs} from ${price.provider}`}
      onClick={() => add.mutate(price)}
    >
      Add
    </ServerButton>
  );
}

/** The error of the last attempt to add the price. The mutation belongs to another cell of the row. */
function AddError({ price }: { price: Row }) {
  const errors = useMutationState({
    filters: { mutationKey: addKeyOf(price), exact: true },
    select: ({ state }) => state.error,
  });
  const error = errors.at(-1) ?? null;
  return error !== null && <ErrorNotice error={error} />;
}
