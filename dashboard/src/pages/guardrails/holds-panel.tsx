import { Switch } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { api, type Schemas, unwrap } from '../../api/api-client.ts';
import { useConnection } from '../../api/connection.ts';
import { workspaceQuery } from '../../api/queries.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Panel } from '../../components/panel.tsx';
import { HOLDS_SECTION } from '../../format/guardrails.ts';
import classes from './holds-panel.module.css';
import { HoldsEffect } from './limit-effect.tsx';

/** Whether model calls must hold what they may cost. The switch shows what the service has saved. */
export function HoldsPanel({ workspace }: { readonly workspace: Schemas['Workspace'] }) {
  const queryClient = useQueryClient();
  const { lost } = useConnection();
  const descriptionId = useId();
  const save = useMutation({
    mutationFn: (wanted: { readonly require_holds: boolean }) =>
      unwrap(api.PATCH('/v1/workspace/', { body: wanted })),
    onSuccess: (changed) => queryClient.setQueryData(workspaceQuery.queryKey, changed),
  });
  const required = workspace.require_holds;
  const isSaved = save.isSuccess && save.variables.require_holds === required;

  return (
    <Panel
      title="Holds"
      id={HOLDS_SECTION}
      description="With an estimate, a step holds what it may cost: its budgets count the hold until the step is reported or the run ends."
    >
      <Switch
        className={classes.switch ?? ''}
        label="Require holds"
        aria-describedby={descriptionId}
        checked={required}
        disabled={lost}
        aria-busy={save.isPending}
        onChange={(event) => {
          // Disabled while saving, the switch would lose the focus.
          if (!save.isPending) save.mutate({ require_holds: event.currentTarget.checked });
        }}
      />
      <p id={descriptionId} className={classes.description}>
        A model call without an estimate, or whose model has no price, is denied. A budget is then a ceiling
        as long as no call costs more than its hold.
      </p>
      {!required && <HoldsEffect workspace={workspace} />}
      <div role="status" className={classes.status}>
        {isSaved && (
          <p>Saved: holds are {required ? 'required' : 'optional'}. It applies from the next decision.</p>
        )}
      </div>
      {save.isError && <ErrorNotice error={save.error} />}
    </Panel>
  );
}
