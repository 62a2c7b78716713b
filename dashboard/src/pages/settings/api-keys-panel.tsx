import { Group } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiKeysQuery } from '../../api/queries.ts';
import { Allowed } from '../../components/allowed.tsx';
import type { Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Identifier } from '../../components/identifier.tsx';
import { Panel } from '../../components/panel.tsx';
import { QueryTable } from '../../components/query-table.tsx';
import { SecretBox } from '../../components/secret-box.tsx';
import { ServerButton } from '../../components/server-button.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useIntent } from '../../components/use-intent.ts';
import { type ApiKey, activeIdsOf, type NewApiKey, nameOf } from './api-key.ts';
import classes from './api-keys-panel.module.css';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { type RegenerateIntent, RegenerateKeysDialog } from './regenerate-keys-dialog.tsx';
import { RevokeKeyDialog } from './revoke-key-dialog.tsx';

export function ApiKeysPanel() {
  const keys = useQuery(apiKeysQuery);
  const queryClient = useQueryClient();
  const [creating, setCreating] = useState(false);
  const revoking = useIntent<ApiKey>();
  const regenerating = useIntent<RegenerateIntent>();
  const [freshKey, setFreshKey] = useState<NewApiKey | null>(null);
  const isRevoked = keys.data?.some(({ id, is_active }) => id === freshKey?.id && !is_active) === true;
  const showKey = async (key: NewApiKey) => {
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
            needs="change"
            variant="default"
            size="xs"
            disabled={keys.data === undefined}
            onClick={() => regenerating.open({ activeIds: activeIdsOf(keys.data ?? []) })}
          >
            Regenerate all
          </ServerButton>
          <ServerButton needs="change" size="xs" onClick={() => setCreating(true)}>
            Create a key
          </ServerButton>
        </Group>
      }
    >
      {freshKey !== null && !isRevoked && (
        <div className={classes.inset}>
          <SecretBox secret={freshKey.key} />
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
    cell: ({ label, prefix, user_id }) => (
      <>
        <span className={classes.label}>
          {label === null ? 'No label' : <Identifier text={label} label="label of the key" />}
        </span>
        <div className="mono">lg_{prefix}_…</div>
        <Pin userId={user_id} className="narrow-only" />
      </>
    ),
  },
  {
    header: 'Scope',
    cell: ({ scope, user_id }) => (
      <>
        {scope}
        <Pin userId={user_id} className="wide-only" />
      </>
    ),
  },
  {
    header: 'Made by',
    wide: true,
    className: classes.maker,
    cell: ({ created_by }) => created_by ?? 'Unknown',
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
    header: 'Status',
    align: 'end',
    cell: (key) =>
      key.is_active ? (
        <Allowed needs="change" otherwise="Active" meanwhile="Active">
          <ServerButton
            variant="default"
            size="xs"
            aria-label={`Revoke ${nameOf(key)}`}
            onClick={() => onRevoke(key)}
          >
            Revoke
          </ServerButton>
        </Allowed>
      ) : (
        'Revoked'
      ),
  },
];

/** The only user that the key is for. A narrow table has no room for it in the column of the scope. */
function Pin({ userId, className }: { userId: string | null; className: string }) {
  if (userId === null) return null;
  return (
    <div className={`${classes.pin} ${className}`}>
      only <Identifier text={userId} label="user ID" />
    </div>
  );
}
