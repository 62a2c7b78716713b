import { useMutation, useQueryClient } from '@tanstack/react-query';
import { pricesQuery } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import type { DialogIntent } from '../../components/use-intent.ts';
import { formatQuantity } from '../../format/count.ts';
import classes from './add-known-models-dialog.module.css';
import type { KnownModel } from './list-price.ts';
import { NarrowCachePrices, PerMillion, perMillionColumns } from './per-million.tsx';
import { putPrice } from './put-price.ts';

interface AddKnownModelsDialogProps {
  readonly dialog: DialogIntent<readonly KnownModel[]>;
  /** The models that have a price now. */
  readonly priced: ReadonlySet<string>;
}

/** Adds the list prices of models in use. It never replaces an existing price. */
export function AddKnownModelsDialog({ dialog, priced }: AddKnownModelsDialogProps) {
  const queryClient = useQueryClient();
  const { intent, shown } = dialog;
  const add = useMutation({
    mutationFn: async (models: readonly KnownModel[]) => {
      // Someone else may have set prices since the list was loaded.
      const current = await queryClient.fetchQuery({ ...pricesQuery, staleTime: 0 });
      const existing = new Set(current.map(({ model }) => model));
      for (const { model, listed } of models) {
        if (!existing.has(model)) await putPrice({ ...listed, model, is_active: true });
      }
    },
    onSuccess: () => close(),
    // After a failure, some of them may have been added.
    onSettled: () => queryClient.invalidateQueries({ queryKey: pricesQuery.queryKey }),
  });
  const close = () => {
    dialog.close();
    add.reset();
  };
  const models = shown ?? [];
  const taken = intent === null || add.isPending ? [] : intent.filter(({ model }) => priced.has(model));

  return (
    <ConfirmDialog
      opened={intent !== null}
      title={`Add ${formatQuantity(models.length, 'list price')}?`}
      size="xl"
      confirmLabel={`Add ${formatQuantity(models.length - taken.length, 'price')}`}
      conflict={
        taken.length === 0
          ? null
          : {
              text: `${taken.map(({ model }) => model).join(', ')} now ${taken.length === 1 ? 'has a price' : 'have prices'}, which will not be changed.`,
              isDone: taken.length === models.length,
            }
      }
      pending={add.isPending}
      error={add.error}
      onConfirm={() => intent !== null && add.mutate(intent)}
      onClose={close}
    >
      <p className={classes.text}>
        Public list prices per million tokens as of {models[0]?.listed.as_of}. Check them against your
        contract; you can edit them after adding. Tokens that are already reported keep their cost.
      </p>
      <div className={classes.models}>
        <DataTable
          label="List prices to add"
          columns={COLUMNS}
          rows={models.map(({ model, listed }) => ({ ...listed, model, listedModel: listed.model }))}
          keyOf={({ model }) => model}
        />
      </div>
    </ConfirmDialog>
  );
}

type Row = KnownModel['listed'] & { readonly listedModel: string };

const COLUMNS: readonly Column<Row>[] = [
  {
    header: 'Model',
    cell: (row) => (
      <>
        <span className={classes.model}>{row.model}</span>
        <div className={classes.source}>
          {row.provider}
          {row.listedModel !== row.model && `: ${row.listedModel}`}
          {row.has_other_prices && ' · base price'}
        </div>
        <div className="narrow-only">
          <PerMillion perToken={row.input_cost_per_token} /> in ·{' '}
          <PerMillion perToken={row.output_cost_per_token} /> out
        </div>
        <NarrowCachePrices price={row} />
      </>
    ),
  },
  ...perMillionColumns({ wide: true }),
];
