import { Skeleton, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import type { Schemas } from '../../api/api-client.ts';
import { patchWorkspace } from '../../api/patch-workspace.ts';
import { workspaceQuery } from '../../api/queries.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Panel } from '../../components/panel.tsx';
import { ServerButton } from '../../components/server-button.tsx';
import { useDraft } from '../../components/use-draft.ts';
import { useRights } from '../../session/use-rights.ts';
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
  const draft = useDraft(workspace.name);
  const { mayChange } = useRights();
  const name = draft.text.trim();
  const save = useMutation({
    mutationFn: ({ submitted }: { submitted: string }) =>
      patchWorkspace(queryClient, { name: submitted.trim() }),
    onSuccess: (saved, { submitted }) => draft.markSaved({ submitted, now: saved.name }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (draft.isChanged && name !== '') save.mutate({ submitted: draft.text });
  };
  return (
    <form onSubmit={submit} className={classes.form}>
      <div className={classes.row}>
        <TextInput
          className={classes.grow}
          label="Name"
          maxLength={255}
          readOnly={!mayChange}
          {...draft.inputProps}
          value={mayChange ? draft.text : workspace.name}
          onChange={(event) => {
            draft.setText(event.currentTarget.value);
            save.reset();
          }}
        />
        <ServerButton
          needs="change"
          type="submit"
          loading={save.isPending}
          disabled={!draft.isChanged || name === ''}
          aria-label="Save name"
        >
          Save
        </ServerButton>
      </div>
      <p className={classes.note}>
        Slug <span className="mono">{workspace.slug}</span>
      </p>
      <p className={classes.saved} role="status">
        {save.isSuccess && !draft.isChanged && 'Saved.'}
        {mayChange && draft.isOutdated && `Someone else changed the name to “${workspace.name}”.`}
      </p>
      {save.isError && <ErrorNotice error={save.error} />}
    </form>
  );
}
