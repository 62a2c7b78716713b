import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../api/api-client.ts';
import { isUnchanged } from '../../api/is-unchanged.ts';
import { apiKeysQuery } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import type { DialogIntent } from '../../components/use-intent.ts';
import { formatQuantity } from '../../format/count.ts';
import { type ApiKey, activeIdsOf, type NewApiKey } from './api-key.ts';

export interface RegenerateIntent {
  /** The active keys when the dialog opened. */
  readonly activeIds: readonly string[];
}

interface RegenerateKeysDialogProps {
  readonly dialog: DialogIntent<RegenerateIntent>;
  /** The current list. */
  readonly keys: readonly ApiKey[];
  readonly onRegenerated: (key: NewApiKey) => Promise<void>;
}

export function RegenerateKeysDialog({ dialog, keys, onRegenerated }: RegenerateKeysDialogProps) {
  const queryClient = useQueryClient();
  const regenerate = useMutation({
    mutationFn: async () => {
      // A key created by someone else since the dialog opened must not be revoked unseen.
      if (!(await isUnchanged(queryClient, apiKeysQuery, activeIdsOf))) return null;
      return unwrap(api.POST('/v1/api-keys/regenerate'));
    },
    onSuccess: async (created) => {
      if (created === null) return;
      close();
      await onRegenerated(created);
    },
  });
  const close = () => {
    dialog.close();
    regenerate.reset();
  };
  const { intent } = dialog;
  const activeIds = activeIdsOf(keys);
  const hasChanged = intent !== null && !regenerate.isPending && intent.activeIds.join() !== activeIds.join();

  return (
    <ConfirmDialog
      opened={intent !== null}
      title="Regenerate all keys?"
      confirmLabel="Regenerate"
      danger
      conflict={
        hasChanged
          ? {
              text: `The keys have changed: ${formatQuantity(activeIds.length, 'key is', 'keys are')} now active.`,
              isDone: false,
            }
          : null
      }
      pending={regenerate.isPending}
      error={regenerate.error}
      onConfirm={() => regenerate.mutate()}
      onClose={close}
    >
      All keys of this workspace are revoked immediately and replaced by one new key. Agents need the new key
      to continue.
    </ConfirmDialog>
  );
}
