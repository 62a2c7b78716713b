import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api, type Schemas } from '../../api/api-client.ts';
import { workspaceQuery } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Icon } from '../../components/icon.tsx';
import classes from './kill-switch-panel.module.css';
import { PlanGate } from './plan-gate.tsx';

interface KillSwitchPanelProps {
  readonly workspace: Schemas['Workspace'];
  readonly billing: Schemas['Billing'];
}

/** The large red one: stops everything, after asking. */
export function KillSwitchPanel({ workspace, billing }: KillSwitchPanelProps) {
  const queryClient = useQueryClient();
  const [confirming, setConfirming] = useState(false);
  const active = workspace.kill_switch;
  const change = useMutation({
    mutationFn: (next: boolean) =>
      answerOf(api.POST('/v1/workspace/kill-switch', { body: { active: next } })),
    onSuccess: (changed) => {
      queryClient.setQueryData(workspaceQuery.queryKey, changed);
      setConfirming(false);
    },
  });
  const ask = () => {
    change.reset();
    setConfirming(true);
  };

  return (
    <section className={classes.panel} data-active={active || undefined} aria-labelledby="kill-switch">
      <PlanGate billing={billing} feature="kill_switch">
        {(locked) => (
          <div className={classes.row}>
            <span className={classes.icon}>
              <Icon name="stop" size={26} />
            </span>
            <div className={classes.text}>
              <h2 className={classes.title} id="kill-switch">
                Kill switch is {active ? 'on' : 'off'}
              </h2>
              <p className={classes.description}>
                {active
                  ? 'Every run start and every step of this workspace is being denied.'
                  : 'Turn it on to deny every run start and every step of this workspace at once.'}
              </p>
            </div>
            <Button
              size="lg"
              {...(active ? {} : { color: 'red.8' })}
              disabled={locked && !active}
              onClick={ask}
              className={classes.button}
            >
              {active ? 'Turn off and resume' : 'Stop everything'}
            </Button>
          </div>
        )}
      </PlanGate>
      <ConfirmDialog
        opened={confirming}
        title={active ? 'Let agents work again?' : 'Stop every agent of this workspace?'}
        confirmLabel={active ? 'Turn the kill switch off' : 'Turn the kill switch on'}
        danger={!active}
        pending={change.isPending}
        error={change.error}
        onConfirm={() => change.mutate(!active)}
        onClose={() => setConfirming(false)}
      >
        {active
          ? 'Runs and steps are allowed again at once, within the other limits.'
          : 'From the next decision on, every run start and every step is denied for all users, also in runs that are running, until you turn it off.'}
      </ConfirmDialog>
    </section>
  );
}
