import { Switch } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import type { Schemas } from '../../api/api-client.ts';
import { useConnection } from '../../api/connection.ts';
import { patchWorkspace } from '../../api/patch-workspace.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useRights } from '../../session/use-rights.ts';
import classes from './setting-switch.module.css';

interface SettingSwitchProps {
  readonly workspace: Schemas['Workspace'];
  readonly field: 'require_holds' | 'deny_unpriced_models';
  readonly label: string;
  /** The state in words, after "Saved:". */
  readonly saved: (isOn: boolean) => string;
  /** Explains the setting. */
  readonly children: ReactNode;
  /** What it would change. */
  readonly effect?: ReactNode;
}

/** A setting of the workspace that is on or off. The switch shows what the service has saved. */
export function SettingSwitch({ workspace, field, label, saved, children, effect }: SettingSwitchProps) {
  const queryClient = useQueryClient();
  const { lost } = useConnection();
  const { mayChange } = useRights();
  const descriptionId = useId();
  const save = useMutation({
    mutationFn: (wanted: boolean) => patchWorkspace(queryClient, { [field]: wanted }),
  });
  const isOn = workspace[field];
  const isSaved = save.isSuccess && save.variables === isOn;

  return (
    <>
      <Switch
        className={classes.switch ?? ''}
        label={label}
        aria-describedby={descriptionId}
        checked={isOn}
        disabled={lost || !mayChange}
        aria-busy={save.isPending}
        onChange={(event) => {
          // Disabled while saving, the switch would lose the focus.
          if (!save.isPending) save.mutate(event.currentTarget.checked);
        }}
      />
      <p id={descriptionId} className={classes.description}>
        {children}
      </p>
      {effect}
      <div role="status" className={classes.status}>
        {isSaved && <p>Saved: {saved(isOn)}. It applies from the next decision.</p>}
      </div>
      {save.isError && <ErrorNotice error={save.error} />}
    </>
  );
}
