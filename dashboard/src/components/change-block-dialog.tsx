import { Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../api/api-client.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { NoteInput } from './note-input.tsx';
import { type BlockIntent, setBlocked } from './set-blocked.ts';
import type { DialogIntent } from './use-intent.ts';

interface ChangeBlockDialogProps {
  readonly dialog: DialogIntent<BlockIntent>;
  /** The current states of users, as far as they are known. */
  readonly users: readonly Pick<Schemas['User'], 'user_id' | 'blocked'>[];
  readonly onClosed?: () => void;
}

export function ChangeBlockDialog({ dialog, users, onClosed }: ChangeBlockDialogProps) {
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: setBlocked,
    onSuccess: async () => {
      close();
      await queryClient.invalidateQueries({ queryKey: ['users'] });
    },
  });
  const [note, setNote] = useState('');
  const close = () => {
    dialog.close();
    change.reset();
    setNote('');
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
      conflict={
        isDoneElsewhere
          ? { text: `${userId} is already ${blocks ? 'blocked' : 'unblocked'}.`, isDone: true }
          : null
      }
      pending={change.isPending}
      error={change.error}
      onConfirm={() => intent !== null && change.mutate({ ...intent, note })}
      onClose={close}
      {...(onClosed === undefined ? {} : { onClosed })}
    >
      {blocks ? (
        <Stack gap="md">
          <span>
            From the next decision, all runs and steps of this user are denied, including steps of active
            runs.
          </span>
          <NoteInput note={note} onChange={setNote} />
        </Stack>
      ) : (
        'Runs and steps of this user are allowed again immediately, within the other limits.'
      )}
    </ConfirmDialog>
  );
}
