import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '../../api/api-client.ts';
import { isUnchanged } from '../../api/is-unchanged.ts';
import { pricesQuery } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import type { DialogIntent } from '../../components/use-intent.ts';
import { priceConflict } from './price-conflict.ts';
import { putPrice } from './put-price.ts';

type ModelPrice = Schemas['ModelPrice'];

interface DeactivatePriceDialogProps {
  readonly dialog: DialogIntent<ModelPrice>;
  /** The current list. */
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
  const conflict = intent === null || deactivate.isPending ? null : priceConflict(intent, present);

  return (
    <ConfirmDialog
      opened={intent !== null}
      title={`Deactivate the price of ${shown?.model ?? ''}?`}
      confirmLabel="Deactivate"
      danger
      conflict={conflict === null ? null : { text: conflict, isDone: present === null }}
      pending={deactivate.isPending}
      error={deactivate.error}
      // Deactivates the current price, including a change made elsewhere that the dialog has reported.
      onConfirm={() => present !== null && deactivate.mutate(present)}
      onClose={close}
    >
      Future tokens of this model have no price and do not count towards budgets. Tokens that are already
      reported keep their cost. You can add the price again at any time.
    </ConfirmDialog>
  );
}
