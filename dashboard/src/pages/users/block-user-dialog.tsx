import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { MissingRight } from '../../components/missing-right.tsx';
import { NoteInput } from '../../components/note-input.tsx';
import { ServerButton } from '../../components/server-button.tsx';
import { setBlocked } from '../../components/set-blocked.ts';

/** Blocks a user by ID, even before their first run. */
export function BlockUserDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const queryClient = useQueryClient();
  const [userId, setUserId] = useState('');
  const [note, setNote] = useState('');
  const block = useMutation({
    mutationFn: () => setBlocked({ userId: userId.trim(), blocked: true, note }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['users'] });
      close();
    },
  });
  const close = () => {
    setUserId('');
    setNote('');
    block.reset();
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    block.mutate();
  };
  return (
    <Modal opened={opened} onClose={close} title="Block a user" closeButtonProps={{ 'aria-label': 'Close' }}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <TextInput
            label="User ID"
            description="Exactly as your agents send it. You can block a user before their first run."
            required
            withAsterisk={false}
            maxLength={255}
            data-autofocus
            value={userId}
            onChange={(event) => setUserId(event.currentTarget.value)}
          />
          <NoteInput note={note} onChange={setNote} />
          {block.isError && <ErrorNotice error={block.error} />}
          <MissingRight needs="change" />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <ServerButton
              needs="change"
              type="submit"
              color="red.8"
              loading={block.isPending}
              disabled={userId.trim() === ''}
            >
              Block
            </ServerButton>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
