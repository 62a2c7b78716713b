import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '../../api/api-client.ts';
import { isUnchanged } from '../../api/is-unchanged.ts';
import { pricesQuery } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import type { DialogIntent } from '../../components/use-intent.ts';
import { priceMeanwhile } from './price-meanwhile.ts';
import { putPrice } from './put-price.ts';

type ModelPrice = Schemas['ModelPrice'];

interface DeactivatePriceDialogProps {
  readonly dialog: DialogIntent<ModelPrice>;
  /** As the list has them now. */
  readonly prices: readonly ModelPrice[];
}

export function DeactivatePriceDialog({ dialog, prices }: DeactivatePriceDialogProps) {
  const queryClient = useQueryClient();
  const { intent, shown } = dialog;
  const present = prices.find(({ model }) => model === intent?.model) ?? null;
  const deactivate = useMutation({
    mutationFn: async (price: ModelPrice) => {
      const priceNow = (list: readonly ModelPrice[]) => list.find(({ model }) => model === price.model);
      if (!(await isUnchanged(queryClient, pricesQuery, priceNow))) return null;
      return putPrice({ ...price, is_active: false });
    },
    onSuccess: async (saved) => {
      if (saved === null) return;
      close();
      await queryClient.invalidateQueries({ queryKey: pricesQuery.queryKey });
    },
  });
  const close = () => {
    dialog.close();
    deactivate.reset();
  };
  const meanwhile = intent === null || deactivate.isPending ? null : priceMeanwhile(intent, present);

  return (
    <ConfirmDialog
      opened={intent !== null}
      title={`Deactivate the price of ${shown?.model ?? ''}?`}
      confirmLabel="Deactivate"
      danger
      meanwhile={meanwhile === null ? null : { text: meanwhile, isDone: present === null }}
      pending={deactivate.isPending}
      error={deactivate.error}
      // The price as it is now: what a colleague changed it to is what becomes inactive.
      onConfirm={() => present !== null && deactivate.mutate(present)}
      onClose={close}
    >
      Tokens of this model will have no price from now on: they no longer count towards budgets. What was
      reported before keeps its cost. You can add the price again at any time.
    </ConfirmDialog>
  );
}
