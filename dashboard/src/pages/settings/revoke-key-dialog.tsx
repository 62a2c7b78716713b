import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../api/api-client.ts';
import { isUnchanged } from '../../api/is-unchanged.ts';
import { apiKeysQuery } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import type { DialogIntent } from '../../components/use-intent.ts';
import { type ApiKey, activeIdsOf, nameOf } from './api-key.ts';

interface RevokeKeyDialogProps {
  readonly dialog: DialogIntent<ApiKey>;
  /** The current list. */
  readonly keys: readonly ApiKey[];
}

export function RevokeKeyDialog({ dialog, keys }: RevokeKeyDialogProps) {
  const queryClient = useQueryClient();
  const revoke = useMutation({
    mutationFn: async ({ id }: ApiKey) => {
      const isActive = (present: readonly ApiKey[]) => activeIdsOf(present).includes(id);
      if (!(await isUnchanged(queryClient, apiKeysQuery, isActive))) return false;
      await unwrap(api.DELETE('/v1/api-keys/{id}', { params: { path: { id } } }));
      return true;
    },
    onSuccess: async (isRevoked) => {
      if (!isRevoked) return;
      close();
      await queryClient.invalidateQueries({ queryKey: apiKeysQuery.queryKey });
    },
  });
  const close = () => {
    dialog.close();
    revoke.reset();
  };
  const { intent, shown } = dialog;
  const isDoneElsewhere = intent !== null && !revoke.isPending && !activeIdsOf(keys).includes(intent.id);

  return (
    <ConfirmDialog
      opened={intent !== null}
      title={`Revoke ${shown === null ? 'the key' : nameOf(shown)}?`}
      confirmLabel="Revoke"
      danger
      conflict={isDoneElsewhere ? { text: 'This key is already revoked.', isDone: true } : null}
      pending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => intent !== null && revoke.mutate(intent)}
      onClose={close}
    >
      Requests with this key are rejected immediately. This cannot be undone.
    </ConfirmDialog>
  );
}
