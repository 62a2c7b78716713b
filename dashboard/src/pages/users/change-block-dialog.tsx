import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '../../api/api-client.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import type { DialogIntent } from '../../components/use-intent.ts';
import { type BlockIntent, setBlocked } from './set-blocked.ts';

interface ChangeBlockDialogProps {
  readonly dialog: DialogIntent<BlockIntent>;
  /** As the list has them now. */
  readonly users: readonly Schemas['User'][];
}

export function ChangeBlockDialog({ dialog, users }: ChangeBlockDialogProps) {
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: setBlocked,
    onSuccess: async () => {
      dialog.close();
      change.reset();
      await queryClient.invalidateQueries({ queryKey: ['users'] });
    },
  });
  const close = () => {
    dialog.close();
    change.reset();
  };
  const { intent, shown } = dialog;
  const userId = shown?.userId ?? '';
  const blocks = shown?.blocked ?? true;
  const present = users.find((user) => user.user_id === intent?.userId);
  const isDoneElsewhere = intent !== null && present?.blocked === intent.blocked && !change.isPending;

  return (
    <ConfirmDialog
      opened={intent !== null}
      title={blocks ? `Block ${userId}?` : `Unblock ${userId}?`}
      confirmLabel={blocks ? 'Block' : 'Unblock'}
      danger={blocks}
      meanwhile={
        isDoneElsewhere
          ? { text: `${userId} was ${blocks ? 'blocked' : 'unblocked'} meanwhile.`, isDone: true }
          : null
      }
      pending={change.isPending}
      error={change.error}
      onConfirm={() => intent !== null && change.mutate(intent)}
      onClose={close}
    >
      {blocks
        ? 'From now on every run start and every step of this user is denied, also in runs that are running.'
        : 'Runs and steps of this user are allowed again at once, within the other limits.'}
    </ConfirmDialog>
  );
}
