import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { answerOf, api, type Schemas } from '../../api/api-client.ts';
import { apiKeysQuery } from '../../api/queries.ts';
import { DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Panel } from '../../components/panel.tsx';
import { SecretBox } from '../../components/secret-box.tsx';
import { ServerButton } from '../../components/server-button.tsx';
import { TableSkeleton } from '../../components/table-skeleton.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useIntent } from '../../components/use-intent.ts';
import { activeIdsOf, nameOf } from './api-key.ts';
import classes from './api-keys-panel.module.css';
import { type RegenerateIntent, RegenerateKeysDialog } from './regenerate-keys-dialog.tsx';
import { RevokeKeyDialog } from './revoke-key-dialog.tsx';

type ApiKey = Schemas['ApiKey'];

export function ApiKeysPanel() {
  const keys = useQuery(apiKeysQuery);
  const queryClient = useQueryClient();
  const [creating, setCreating] = useState(false);
  const revoking = useIntent<ApiKey>();
  const regenerating = useIntent<RegenerateIntent>();
  const [freshKey, setFreshKey] = useState<string | null>(null);
  const refresh = () => queryClient.invalidateQueries({ queryKey: apiKeysQuery.queryKey });

  return (
    <Panel
      title="API keys"
      description="For agents and the SDK. Only the public part is kept; the key itself is shown once."
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
        <KeyTable keys={keys.data} onRevoke={revoking.open} />
      )}
      <CreateKeyDialog
        opened={creating}
        onClose={() => setCreating(false)}
        onCreated={async (key) => {
          setFreshKey(key);
          await refresh();
        }}
      />
      <RevokeKeyDialog dialog={revoking} keys={keys.data ?? []} />
      <RegenerateKeysDialog
        dialog={regenerating}
        keys={keys.data ?? []}
        onRegenerated={async (key) => {
          setFreshKey(key);
          await refresh();
        }}
      />
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
            <ServerButton type="submit" loading={create.isPending}>
              Create
            </ServerButton>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
