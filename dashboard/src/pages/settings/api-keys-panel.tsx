import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { answerOf, api, type Schemas } from '../../api/api-client.ts';
import { apiKeysQuery } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Panel } from '../../components/panel.tsx';
import { SecretBox } from '../../components/secret-box.tsx';
import { TableSkeleton } from '../../components/table-skeleton.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import classes from './api-keys-panel.module.css';

type ApiKey = Schemas['ApiKey'];

export function ApiKeysPanel() {
  const keys = useQuery(apiKeysQuery);
  const queryClient = useQueryClient();
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const [regenerating, setRegenerating] = useState(false);
  const [freshKey, setFreshKey] = useState<string | null>(null);
  const refresh = () => queryClient.invalidateQueries({ queryKey: apiKeysQuery.queryKey });

  const revoke = useMutation({
    mutationFn: (key: ApiKey) =>
      answerOf(api.DELETE('/v1/api-keys/{id}', { params: { path: { id: key.id } } })),
    onSuccess: async () => {
      await refresh();
      setRevoking(null);
    },
  });
  const regenerate = useMutation({
    mutationFn: () => answerOf(api.POST('/v1/api-keys/regenerate')),
    onSuccess: async ({ key }) => {
      setFreshKey(key);
      await refresh();
      setRegenerating(false);
    },
  });

  return (
    <Panel
      title="API keys"
      description="For agents and the SDK. Only the public part is kept; the key itself is shown once."
      flush
      action={
        <Group gap="xs">
          <Button
            variant="default"
            size="xs"
            onClick={() => {
              regenerate.reset();
              setRegenerating(true);
            }}
          >
            Regenerate all
          </Button>
          <Button size="xs" onClick={() => setCreating(true)}>
            Create a key
          </Button>
        </Group>
      }
    >
      {freshKey !== null && (
        <div className={classes.inset}>
          <SecretBox secret={freshKey} />
        </div>
      )}
      {keys.error !== null && (
        <div className={classes.inset}>
          <ErrorNotice error={keys.error} onRetry={() => void keys.refetch()} />
        </div>
      )}
      {keys.data === undefined ? (
        keys.error === null && <TableSkeleton rows={3} />
      ) : keys.data.length === 0 ? (
        <EmptyState icon="key" title="No API keys">
          Create one to let an agent in.
        </EmptyState>
      ) : (
        <KeyTable
          keys={keys.data}
          onRevoke={(key) => {
            revoke.reset();
            setRevoking(key);
          }}
        />
      )}
      <CreateKeyDialog
        opened={creating}
        onClose={() => setCreating(false)}
        onCreated={async (key) => {
          setFreshKey(key);
          await refresh();
        }}
      />
      <ConfirmDialog
        opened={revoking !== null}
        title={`Revoke ${revoking === null ? 'the key' : nameOf(revoking)}?`}
        confirmLabel="Revoke"
        danger
        pending={revoke.isPending}
        error={revoke.error}
        onConfirm={() => revoking !== null && revoke.mutate(revoking)}
        onClose={() => setRevoking(null)}
      >
        Every agent that uses it is refused from the next request on. This cannot be undone.
      </ConfirmDialog>
      <ConfirmDialog
        opened={regenerating}
        title="Regenerate all keys?"
        confirmLabel="Regenerate"
        danger
        pending={regenerate.isPending}
        error={regenerate.error}
        onConfirm={() => regenerate.mutate()}
        onClose={() => setRegenerating(false)}
      >
        Every key of this workspace stops at once, and you get one new key. Agents need it before they can go
        on.
      </ConfirmDialog>
    </Panel>
  );
}

function KeyTable({ keys, onRevoke }: { keys: readonly ApiKey[]; onRevoke: (key: ApiKey) => void }) {
  return (
    <DataTable
      label="API keys"
      head={
        <tr>
          <th scope="col">Key</th>
          <th scope="col" className="wide-only">
            Created
          </th>
          <th scope="col">Last used</th>
          <th scope="col" className="numeric">
            Action
          </th>
        </tr>
      }
    >
      {keys.map((key) => (
        <tr key={key.id} className={key.is_active ? '' : classes.revoked}>
          <td>
            <span className={classes.label}>{key.label ?? 'Without a label'}</span>
            <div className="mono">lg_{key.prefix}_…</div>
          </td>
          <td className={`wide-only ${classes.when}`}>
            <Timestamp iso={key.created_at} />
          </td>
          <td className={classes.when}>
            {key.last_used_at === null ? 'Never' : <Timestamp iso={key.last_used_at} relative />}
          </td>
          <td className="numeric">
            {key.is_active ? (
              <Button
                variant="default"
                size="xs"
                aria-label={`Revoke ${nameOf(key)}`}
                onClick={() => onRevoke(key)}
              >
                Revoke
              </Button>
            ) : (
              'Revoked'
            )}
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

interface CreateKeyDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onCreated: (key: string) => Promise<void>;
}

function CreateKeyDialog({ opened, onClose, onCreated }: CreateKeyDialogProps) {
  const [label, setLabel] = useState('');
  const create = useMutation({
    mutationFn: () => answerOf(api.POST('/v1/api-keys/', { body: { label: label.trim() || null } })),
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
            description="So that you can tell keys apart later"
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
            <Button type="submit" loading={create.isPending}>
              Create
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function nameOf(key: ApiKey): string {
  return key.label === null ? `lg_${key.prefix}_…` : `${key.label} (lg_${key.prefix}_…)`;
}
