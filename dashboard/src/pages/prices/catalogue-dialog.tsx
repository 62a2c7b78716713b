import { Modal, Stack, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../../api/api-client.ts';
import { ApiError } from '../../api/api-error.ts';
import { catalogueQuery, pricesQuery, shownOf } from '../../api/queries.ts';
import { DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Icon } from '../../components/icon.tsx';
import { ServerButton } from '../../components/server-button.tsx';
import { TableSkeleton } from '../../components/table-skeleton.tsx';
import classes from './catalogue-dialog.module.css';
import { PerMillion } from './per-million.tsx';
import { putPrice } from './put-price.ts';

type CataloguePrice = Schemas['CataloguePrice'];

const SEARCH_DELAY_MS = 200;

/** Public list prices to add with one click. What has a price here already is never touched. */
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
      closeButtonProps={{ 'aria-label': 'Close the catalogue' }}
    >
      {shown !== null && <Catalogue search={shown} />}
    </Modal>
  );
}

function Catalogue({ search }: { search: string }) {
  const [text, setText] = useState(search);
  const [query] = useDebouncedValue(text.trim(), SEARCH_DELAY_MS);
  const catalogue = useQuery(catalogueQuery(query));
  const list = shownOf(catalogue);
  const prices = useQuery(pricesQuery);
  const priced = new Set(prices.data?.map(({ model }) => model));
  const asOf = list?.[0]?.as_of;

  return (
    <Stack gap="md">
      <TextInput
        label="Search models"
        description={
          asOf === undefined
            ? 'Public list prices that come with this service'
            : `Public list prices as of ${asOf}. Check them against your contract; you can edit them after adding.`
        }
        placeholder="gpt-4o, claude, gemini …"
        leftSection={<Icon name="search" size={15} />}
        maxLength={255}
        data-autofocus
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {catalogue.error !== null && (
        <ErrorNotice error={catalogue.error} onRetry={() => void catalogue.refetch()} />
      )}
      <div className={classes.results}>
        {list === undefined ? (
          catalogue.error === null && <TableSkeleton rows={6} />
        ) : list.length === 0 ? (
          <EmptyState icon="search" title="Nothing found">
            The catalogue has no model of this name. Close it and add the price by hand.
          </EmptyState>
        ) : (
          <DataTable
            label="Catalogue"
            head={
              <tr>
                <th scope="col">Model</th>
                <th scope="col" className="numeric wide-only">
                  Input / 1M
                </th>
                <th scope="col" className="numeric wide-only">
                  Output / 1M
                </th>
                <th scope="col" className="numeric">
                  Action
                </th>
              </tr>
            }
          >
            {list.map((price) => (
              <CatalogueRow
                key={`${price.provider} ${price.model}`}
                price={price}
                isPriced={priced.has(price.model)}
              />
            ))}
          </DataTable>
        )}
      </div>
    </Stack>
  );
}

function CatalogueRow({ price, isPriced }: { price: CataloguePrice; isPriced: boolean }) {
  const queryClient = useQueryClient();
  const add = useMutation({
    mutationFn: async () => {
      // Somebody else may have set a price since the list was read.
      const present = await queryClient.fetchQuery({ ...pricesQuery, staleTime: 0 });
      if (present.some(({ model }) => model === price.model)) {
        throw new ApiError({
          status: 409,
          detail: 'This model has a price by now; it was left alone.',
          requestId: null,
        });
      }
      return putPrice({ ...price, is_active: true });
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: pricesQuery.queryKey }),
  });
  return (
    <tr>
      <td>
        <span className={classes.model}>{price.model}</span>
        <div className={classes.provider}>
          {price.provider}
          {price.has_other_prices && ' · base price; long prompts or some hours cost more'}
        </div>
        <div className="narrow-only">
          <PerMillion perToken={price.input_cost_per_token} /> in ·{' '}
          <PerMillion perToken={price.output_cost_per_token} /> out
        </div>
        {add.isError && <ErrorNotice error={add.error} />}
      </td>
      <td className="numeric wide-only">
        <PerMillion perToken={price.input_cost_per_token} />
      </td>
      <td className="numeric wide-only">
        <PerMillion perToken={price.output_cost_per_token} />
      </td>
      <td className="numeric">
        {isPriced ? (
          <span className={classes.priced}>
            <Icon name="check" size={15} /> Has a price
          </span>
        ) : (
          <ServerButton
            size="xs"
            variant="default"
            loading={add.isPending}
            aria-label={`Add ${price.model} from ${price.provider}`}
            onClick={() => add.mutate()}
          >
            Add
          </ServerButton>
        )}
      </td>
    </tr>
  );
}
