import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { api, type Schemas, unwrap } from '../api/api-client.ts';
import { ApiError } from '../api/api-error.ts';
import { runQuery } from '../api/queries.ts';
import { ConfirmDialog, type Conflict } from './confirm-dialog.tsx';
import { focusPageHeading } from './page-header.tsx';
import { ServerButton } from './server-button.tsx';
import classes from './stop-run.module.css';
import { Timestamp } from './timestamp.tsx';
import { type DialogIntent, useIntent } from './use-intent.ts';

/** What a page knows of a run. */
type StoppableRun = Pick<Schemas['Run'], 'id' | 'user_id' | 'status' | 'end_reason' | 'started_at'>;

/** The run to stop. */
export interface StopIntent {
  readonly runId: string;
  readonly userId: string;
  readonly startedAt: string;
}

/** The answer for a run that ended otherwise than by a stop. */
const ALREADY_ENDED = 400;

/** Stops a running run, after a confirmation. */
export function StopRun({ run }: { run: StoppableRun }) {
  const dialog = useIntent<StopIntent>();
  return (
    <>
      {run.status === 'RUNNING' && (
        <ServerButton
          needs="change"
          ref={keepFocusOnPage}
          variant="default"
          onClick={() => dialog.open(toStopIntent(run))}
        >
          Stop run
        </ServerButton>
      )}
      <StopRunDialog dialog={dialog} run={run} />
    </>
  );
}

interface StopButtonProps {
  readonly run: StoppableRun;
  readonly dialog: DialogIntent<StopIntent>;
}

/** For the row of a list, which has one dialog for all of its runs. */
export function StopButton({ run, dialog }: StopButtonProps) {
  if (run.status !== 'RUNNING') return null;
  return (
    <ServerButton
      needs="change"
      ref={keepFocusOnPage}
      variant="default"
      size="xs"
      aria-label={`Stop the run of ${run.user_id}`}
      onClick={() => dialog.open(toStopIntent(run))}
    >
      Stop
    </ServerButton>
  );
}

interface StopRunDialogProps {
  readonly dialog: DialogIntent<StopIntent>;
  /** Its present state; undefined if the page does not know it any more. */
  readonly run: StoppableRun | undefined;
}

export function StopRunDialog({ dialog, run }: StopRunDialogProps) {
  const queryClient = useQueryClient();
  const isStopped = useRef(false);
  const refresh = (runId: string) =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: runQuery(runId).queryKey }),
      queryClient.invalidateQueries({ queryKey: ['runs'] }),
    ]);
  const stop = useMutation({
    mutationFn: ({ runId }: StopIntent) =>
      unwrap(api.POST('/v1/runs/{run_id}/stop', { params: { path: { run_id: runId } } })),
    onSuccess: async ({ status, ended_at, end_reason }, { runId }) => {
      queryClient.setQueryData(
        runQuery(runId).queryKey,
        (known) => known && { ...known, status, ended_at, end_reason, lease_expires_at: null },
      );
      isStopped.current = true;
      close();
      await refresh(runId);
    },
    // The dialog then says how the run ended.
    onError: (error, { runId }) => (isAlreadyEnded(error) ? refresh(runId) : undefined),
  });
  const close = () => {
    dialog.close();
    stop.reset();
  };
  const { intent, shown } = dialog;
  const isRefused = isAlreadyEnded(stop.error);
  const hasEnded = run !== undefined && run.status !== 'RUNNING' && !stop.isPending;

  return (
    <ConfirmDialog
      opened={intent !== null}
      title={`Stop this run of ${shown?.userId ?? ''}?`}
      confirmLabel="Stop the run"
      danger
      conflict={intent !== null && (hasEnded || isRefused) ? conflictOf(run) : null}
      pending={stop.isPending}
      error={isRefused ? null : stop.error}
      onConfirm={() => intent !== null && stop.mutate(intent)}
      onClose={close}
      onClosed={() => {
        // The button that opened the dialog disappears, now or with the next list.
        if (isStopped.current || run?.status !== 'RUNNING') focusPageHeading();
        isStopped.current = false;
      }}
    >
      The run ends as failed, and its slot is free. The agent’s next step is denied. A call that is already in
      progress is not interrupted, and its report is still accepted. A stopped run cannot be resumed.
      {shown !== null && (
        <p className={classes.run}>
          Started <Timestamp iso={shown.startedAt} relative />, ID <span className="mono">{shown.runId}</span>
        </p>
      )}
    </ConfirmDialog>
  );
}

function toStopIntent({ id, user_id, started_at }: StoppableRun): StopIntent {
  return { runId: id, userId: user_id, startedAt: started_at };
}

/** The button disappears when the run ends. */
function keepFocusOnPage(button: HTMLButtonElement | null): () => void {
  return () => {
    if (button !== null && document.activeElement === button) focusPageHeading();
  };
}

function isAlreadyEnded(error: unknown): boolean {
  return error instanceof ApiError && error.status === ALREADY_ENDED;
}

function conflictOf(run: StoppableRun | undefined): Conflict {
  const texts = {
    STOPPED: 'The run is already stopped.',
    LEASE_EXPIRED: 'The lease has already ended the run.',
  };
  const byService = run?.end_reason == null ? undefined : texts[run.end_reason];
  const byAgent =
    run?.status === 'COMPLETED' ? 'The agent has completed the run.' : 'The run has already ended.';
  return { text: byService ?? byAgent, isDone: true };
}
