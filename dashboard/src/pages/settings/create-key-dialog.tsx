import { Button, Group, Modal, Radio, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, type Schemas, unwrap } from '../../api/api-client.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { MissingRight } from '../../components/missing-right.tsx';
import { ServerButton } from '../../components/server-button.tsx';
import type { NewApiKey } from './api-key.ts';

type Scope = Schemas['KeyScope'];

/** The first one is preselected: most keys are for agents, which must not be able to lift their own guardrails. */
const SCOPES: readonly { scope: Scope; label: string; description: string }[] = [
  { scope: 'agent', label: 'Agent', description: 'Starts runs and steps; reads runs and prices' },
  { scope: 'read', label: 'Read', description: 'Reads everything and changes nothing' },
  { scope: 'admin', label: 'Admin', description: 'Also changes guardrails, prices, users and keys' },
];

const NEW_KEY = { label: '', scope: 'agent' as Scope, userId: '' };

interface CreateKeyDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onCreated: (key: NewApiKey) => Promise<void>;
}

export function CreateKeyDialog({ opened, onClose, onCreated }: CreateKeyDialogProps) {
  const [{ label, scope, userId }, setKey] = useState(NEW_KEY);
  const change = (changed: Partial<typeof NEW_KEY>) => setKey((key) => ({ ...key, ...changed }));
  const create = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/v1/api-keys/', {
          body: {
            label: label.trim() || null,
            scope,
            user_id: scope === 'agent' && userId !== '' ? userId : null,
          },
        }),
      ),
    onSuccess: async (created) => {
      await onCreated(created);
      close();
    },
  });
  const close = () => {
    setKey(NEW_KEY);
    create.reset();
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title="Create an API key"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form onSubmit={submit}>
        <Stack gap="md">
          <TextInput
            label="Label"
            description="Helps you identify the key later"
            placeholder="production, staging, …"
            maxLength={255}
            data-autofocus
            value={label}
            onChange={(event) => change({ label: event.currentTarget.value })}
          />
          <Radio.Group
            label="Scope"
            description="What the key may do; it cannot be changed later"
            value={scope}
            onChange={(chosen) => change({ scope: chosen as Scope })}
          >
            <Stack gap="xs" mt="xs">
              {SCOPES.map((choice) => (
                <Radio
                  key={choice.scope}
                  value={choice.scope}
                  label={choice.label}
                  description={choice.description}
                />
              ))}
            </Stack>
          </Radio.Group>
          {scope === 'agent' && (
            <TextInput
              label="Only for this user"
              description="Optional: the key starts and sees only runs of this end user"
              placeholder="user id"
              maxLength={255}
              value={userId}
              onChange={(event) => change({ userId: event.currentTarget.value })}
            />
          )}
          {create.isError && <ErrorNotice error={create.error} />}
          <MissingRight needs="change" />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <ServerButton needs="change" type="submit" loading={create.isPending}>
              Create
            </ServerButton>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
