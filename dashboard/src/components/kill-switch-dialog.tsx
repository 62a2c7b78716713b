import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas, unwrap } from '../api/api-client.ts';
import { workspaceQuery } from '../api/queries.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import type { DialogIntent } from './use-intent.ts';

/** The requested state of the switch. */
export interface KillSwitchIntent {
  readonly active: boolean;
}

interface KillSwitchDialogProps {
  readonly dialog: DialogIntent<KillSwitchIntent>;
  readonly workspace: Schemas['Workspace'];
  readonly onClosed?: () => void;
}

/** Turns the kill switch on or off, after a confirmation. */
export function KillSwitchDialog({ dialog, workspace, onClosed }: KillSwitchDialogProps) {
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: (wanted: KillSwitchIntent) => unwrap(api.POST('/v1/workspace/kill-switch', { body: wanted })),
    onSuccess: (changed) => {
      queryClient.setQueryData(workspaceQuery.queryKey, changed);
      close();
    },
  });
  const close = () => {
    dialog.close();
    change.reset();
  };
  const { intent, shown } = dialog;
  const turnsOn = shown?.active ?? true;
  const isDoneElsewhere = intent?.active === workspace.kill_switch && !change.isPending;

  return (
    <ConfirmDialog
      opened={intent !== null}
      title={turnsOn ? 'Stop all agents of this workspace?' : 'Allow agents to resume?'}
      confirmLabel={turnsOn ? 'Turn the kill switch on' : 'Turn the kill switch off'}
      danger={turnsOn}
      conflict={
        isDoneElsewhere
          ? { text: `The kill switch is already ${turnsOn ? 'on' : 'off'}.`, isDone: true }
          : null
      }
      pending={change.isPending}
      error={change.error}
      onConfirm={() => intent !== null && change.mutate(intent)}
      onClose={close}
      {...(onClosed === undefined ? {} : { onClosed })}
    >
      {turnsOn
        ? 'From the next decision, all runs and steps of all users are denied, including steps of active runs, until you turn it off.'
        : 'Runs and steps are allowed again immediately, within the other limits.'}
    </ConfirmDialog>
  );
}
