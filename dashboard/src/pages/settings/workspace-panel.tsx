import { Button, Skeleton, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { answerOf, api, type Schemas } from '../../api/api-client.ts';
import { workspaceQuery } from '../../api/queries.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Panel } from '../../components/panel.tsx';
import classes from './settings-forms.module.css';

export function WorkspacePanel() {
  const { data, error, refetch } = useQuery(workspaceQuery);
  return (
    <Panel title="Workspace">
      {data !== undefined ? (
        <NameForm workspace={data} />
      ) : error !== null ? (
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={62} radius="md" maw={420} />
      )}
    </Panel>
  );
}

function NameForm({ workspace }: { workspace: Schemas['Workspace'] }) {
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState<string | null>(null);
  const name = typed ?? workspace.name;
  const changed = name.trim() !== workspace.name;
  const save = useMutation({
    mutationFn: () => answerOf(api.PATCH('/v1/workspace/', { body: { name: name.trim() } })),
    onSuccess: (saved) => {
      queryClient.setQueryData(workspaceQuery.queryKey, saved);
      setTyped(null);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (changed && name.trim() !== '') save.mutate();
  };
  return (
    <form onSubmit={submit} className={classes.form}>
      <div className={classes.row}>
        <TextInput
          className={classes.grow}
          label="Name"
          maxLength={255}
          value={name}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            save.reset();
          }}
        />
        <Button
          type="submit"
          loading={save.isPending}
          disabled={!changed || name.trim() === ''}
          aria-label="Save the name"
        >
          Save
        </Button>
      </div>
      <p className={classes.note}>
        Short name <span className="mono">{workspace.slug}</span>
      </p>
      <p className={classes.saved} role="status">
        {save.isSuccess && !changed && 'Saved.'}
      </p>
      {save.isError && <ErrorNotice error={save.error} />}
    </form>
  );
}
