import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from '../../api/api-client.ts';
import { isUnchanged } from '../../api/is-unchanged.ts';
import { apiKeysQuery } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import type { DialogIntent } from '../../components/use-intent.ts';
import { type ApiKey, activeIdsOf } from './api-key.ts';

export interface RegenerateIntent {
  /** The keys that the person saw and wants to stop. */
  readonly activeIds: readonly string[];
}

interface RegenerateKeysDialogProps {
  readonly dialog: DialogIntent<RegenerateIntent>;
  /** As the list has them now. */
  readonly keys: readonly ApiKey[];
  readonly onRegenerated: (key: string) => Promise<void>;
}

export function RegenerateKeysDialog({ dialog, keys, onRegenerated }: RegenerateKeysDialogProps) {
  const queryClient = useQueryClient();
  const regenerate = useMutation({
    mutationFn: async () => {
      // A key that a colleague has just made is not taken away by someone who does not know of it.
      if (!(await isUnchanged(queryClient, apiKeysQuery, activeIdsOf))) return null;
      return answerOf(api.POST('/v1/api-keys/regenerate'));
    },
    onSuccess: async (made) => {
      if (made === null) return;
      close();
      await onRegenerated(made.key);
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
      meanwhile={
        hasChanged
          ? { text: `The keys were changed meanwhile: ${activeIds.length} are active now.`, isDone: false }
          : null
      }
      pending={regenerate.isPending}
      error={regenerate.error}
      onConfirm={() => regenerate.mutate()}
      onClose={close}
    >
      Every key of this workspace stops at once, and you get one new key. Agents need it before they can go
      on.
    </ConfirmDialog>
  );
}
