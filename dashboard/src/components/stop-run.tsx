import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas, unwrap } from '../api/api-client.ts';
import { ApiError } from '../api/api-error.ts';
import { runQuery } from '../api/queries.ts';
import { ConfirmDialog, type Conflict } from './confirm-dialog.tsx';
import { focusPageHeading } from './page-header.tsx';
import { ServerButton } from './server-button.tsx';
import { useIntent } from './use-intent.ts';

type Run = Schemas['Run'];

/** The answer for a run that ended otherwise than by a stop. */
const ALREADY_ENDED = 400;

/** Stops a running run, after a confirmation. */
export function StopRun({ run }: { run: Run }) {
  const queryClient = useQueryClient();
  /** The run to stop. */
  const dialog = useIntent<{ readonly runId: string; readonly userId: string }>();
  const refresh = (runId: string) =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: runQuery(runId).queryKey }),
      queryClient.invalidateQueries({ queryKey: ['runs'] }),
    ]);
  const stop = useMutation({
    mutationFn: ({ runId }: { readonly runId: string }) =>
      unwrap(api.POST('/v1/runs/{run_id}/stop', { params: { path: { run_id: runId } } })),
    onSuccess: async ({ status, ended_at, end_reason }, { runId }) => {
      queryClient.setQueryData(
        runQuery(runId).queryKey,
        (known) => known && { ...known, status, ended_at, end_reason, lease_expires_at: null },
      );
      dialog.close();
      await refresh(runId);
    },
    // The dialog then says how the run ended.
    onError: (error, { runId }) => (isAlreadyEnded(error) ? refresh(runId) : undefined),
  });
  const ask = () => {
    stop.reset();
    dialog.open({ runId: run.id, userId: run.user_id });
  };
  const isRefused = isAlreadyEnded(stop.error);
  const hasEnded = run.status !== 'RUNNING' && !stop.isPending && !stop.isSuccess;

  return (
    <>
      {run.status === 'RUNNING' && (
        <ServerButton needs="change" ref={keepFocusOnPage} variant="default" onClick={ask}>
          Stop run
        </ServerButton>
      )}
      <ConfirmDialog
        opened={dialog.intent !== null}
        title={`Stop this run of ${dialog.shown?.userId ?? ''}?`}
        confirmLabel="Stop the run"
        danger
        conflict={dialog.intent !== null && (hasEnded || isRefused) ? conflictOf(run) : null}
        pending={stop.isPending}
        error={isRefused ? null : stop.error}
        onConfirm={() => dialog.intent !== null && stop.mutate(dialog.intent)}
        onClose={dialog.close}
        onClosed={() => run.status !== 'RUNNING' && focusPageHeading()}
      >
        The run ends as failed, and its slot is free. The agent’s next step is denied. A call that is already
        in progress is not interrupted, and its report is still accepted. A stopped run cannot be resumed.
      </ConfirmDialog>
    </>
  );
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

function conflictOf({ end_reason, status }: Run): Conflict {
  const texts = {
    STOPPED: 'The run is already stopped.',
    LEASE_EXPIRED: 'The lease has already ended the run.',
  };
  const byService = end_reason === null ? undefined : texts[end_reason];
  const byAgent = status === 'COMPLETED' ? 'The agent has completed the run.' : 'The run has already ended.';
  return { text: byService ?? byAgent, isDone: true };
}
