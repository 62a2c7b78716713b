import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, unwrap } from '../../api/api-client.ts';
import { apiKeysQuery } from '../../api/queries.ts';
import type { Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Panel } from '../../components/panel.tsx';
import { QueryTable } from '../../components/query-table.tsx';
import { SecretBox } from '../../components/secret-box.tsx';
import { ServerButton } from '../../components/server-button.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useIntent } from '../../components/use-intent.ts';
import { type ApiKey, activeIdsOf, nameOf } from './api-key.ts';
import classes from './api-keys-panel.module.css';
import { type RegenerateIntent, RegenerateKeysDialog } from './regenerate-keys-dialog.tsx';
import { RevokeKeyDialog } from './revoke-key-dialog.tsx';

export function ApiKeysPanel() {
  const keys = useQuery(apiKeysQuery);
  const queryClient = useQueryClient();
  const [creating, setCreating] = useState(false);
  const revoking = useIntent<ApiKey>();
  const regenerating = useIntent<RegenerateIntent>();
  const [freshKey, setFreshKey] = useState<string | null>(null);
  const showKey = async (key: string) => {
    setFreshKey(key);
    await queryClient.invalidateQueries({ queryKey: apiKeysQuery.queryKey });
  };

  return (
    <Panel
      title="API keys"
      description="For agents and the SDK. Only the public part is stored; the key itself is shown once."
      flush
      action={
        <Group gap="xs">
          <ServerButton
            variant="default"
            size="xs"
            disabled={keys.data === undefined}
            onClick={() => regenerating.open({ activeIds: activeIdsOf(keys.data ?? []) })}
          >
            Regenerate all
          </ServerButton>
          <ServerButton size="xs" onClick={() => setCreating(true)}>
            Create a key
          </ServerButton>
        </Group>
      }
    >
      {freshKey !== null && (
        <div className={classes.inset}>
          <SecretBox secret={freshKey} />
        </div>
      )}
      <QueryTable
        label="API keys"
        query={keys}
        columns={columnsOf(revoking.open)}
        rows={keys.data}
        keyOf={({ id }) => id}
        rowClassOf={({ is_active }) => (is_active ? undefined : classes.revoked)}
        skeletonRows={3}
        empty={
          <EmptyState icon="key" title="No API keys">
            Create one to connect an agent.
          </EmptyState>
        }
        errorClass={classes.inset}
      />
      <CreateKeyDialog opened={creating} onClose={() => setCreating(false)} onCreated={showKey} />
      <RevokeKeyDialog dialog={revoking} keys={keys.data ?? []} />
      <RegenerateKeysDialog dialog={regenerating} keys={keys.data ?? []} onRegenerated={showKey} />
    </Panel>
  );
}

const columnsOf = (onRevoke: (key: ApiKey) => void): readonly Column<ApiKey>[] => [
  {
    header: 'Key',
    cell: ({ label, prefix }) => (
      <>
        <span className={classes.label}>{label ?? 'No label'}</span>
        <div className="mono">lg_{prefix}_…</div>
      </>
    ),
  },
  {
    header: 'Created',
    wide: true,
    className: classes.when,
    cell: ({ created_at }) => <Timestamp iso={created_at} />,
  },
  {
    header: 'Last used',
    className: classes.when,
    cell: ({ last_used_at }) => (last_used_at === null ? 'Never' : <Timestamp iso={last_used_at} relative />),
  },
  {
    header: 'Action',
    align: 'end',
    cell: (key) =>
      key.is_active ? (
        <ServerButton
          variant="default"
          size="xs"
          aria-label={`Revoke ${nameOf(key)}`}
          onClick={() => onRevoke(key)}
        >
          Revoke
        </ServerButton>
      ) : (
        'Revoked'
      ),
  },
];

interface CreateKeyDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onCreated: (key: string) => Promise<void>;
}

function CreateKeyDialog({ opened, onClose, onCreated }: CreateKeyDialogProps) {
  const [label, setLabel] = useState('');
  const create = useMutation({
    mutationFn: () => unwrap(api.POST('/v1/api-keys/', { body: { label: label.trim() || null } })),
    onSuccess: async ({ key }) => {
      await onCreated(key);
      close();
    },
  });
  const close = () => {
    setLabel('');
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
            onChange={(event) => setLabel(event.currentTarget.value)}
          />
          {create.isError && <ErrorNotice error={create.error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <ServerButton type="submit" loading={create.isPending}>
              Create
            </ServerButton>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
