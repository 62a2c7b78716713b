import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Schemas } from '../../api/api-client.ts';
import { isUnchanged } from '../../api/is-unchanged.ts';
import { patchWorkspace } from '../../api/patch-workspace.ts';
import { workspaceQuery } from '../../api/queries.ts';
import { ConfirmDialog, type Conflict } from '../../components/confirm-dialog.tsx';
import type { DialogIntent } from '../../components/use-intent.ts';
import {
  describeLimit,
  formatLimit,
  LIMITS,
  limitIn,
  limitInput,
  parseLimit,
  toPatch,
} from '../../format/limits.ts';
import classes from './raise-limit-dialog.module.css';

export type RaisableLimit = 'daily_budget_usd' | 'user_daily_budget_usd' | 'max_concurrent_runs';

export interface RaiseIntent {
  /** The limit when the dialog opened. */
  readonly from: number;
}

interface RaiseLimitDialogProps {
  readonly dialog: DialogIntent<RaiseIntent>;
  readonly field: RaisableLimit;
  readonly workspace: Schemas['Workspace'];
  /** What is used of the limit now, for example "This user has spent $1.50 today." */
  readonly use: string;
  /** Whether a limit would lift the denial. */
  readonly isEnough: (limit: number) => boolean;
  readonly onClosed: () => void;
}

const WORDS: Readonly<Record<RaisableLimit, { readonly confirm: string; readonly scope: string }>> = {
  daily_budget_usd: {
    confirm: 'Raise the budget',
    scope: 'It applies to the whole workspace, all users together, from the next decision.',
  },
  user_daily_budget_usd: {
    confirm: 'Raise the budget',
    scope: 'It applies to every user of this workspace, not only to this one, from the next decision.',
  },
  max_concurrent_runs: {
    confirm: 'Raise the limit',
    scope: 'It applies to the whole workspace, all users together, from the next decision.',
  },
};

/** Raises a limit of the workspace. It never lowers or removes one. */
export function RaiseLimitDialog(props: RaiseLimitDialogProps) {
  const { dialog, field, workspace, use, isEnough, onClosed } = props;
  const queryClient = useQueryClient();
  const [text, setText] = useState('');
  const save = useMutation({
    mutationFn: async (limit: number) =>
      (await isUnchanged(queryClient, workspaceQuery, (now) => limitIn(now, field)))
        ? patchWorkspace(queryClient, toPatch(field, limit))
        : null,
    onSuccess: (saved) => {
      if (saved !== null) close();
    },
  });
  const close = () => {
    dialog.close();
    save.reset();
  };
  const { noun } = LIMITS[field];
  const { confirm, scope } = WORDS[field];
  const present = limitIn(workspace, field);
  const typed = text.trim() === '' ? null : parseRaised(field, { text, present });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed !== null && typed.problem === null && !save.isPending) save.mutate(typed.value);
  };

  return (
    <ConfirmDialog
      opened={dialog.intent !== null}
      title={`Raise the ${noun} of ${workspace.name}?`}
      confirmLabel={confirm}
      incomplete={typed === null || typed.problem !== null}
      conflict={save.isPending ? null : conflictOf(field, { intent: dialog.intent, present })}
      pending={save.isPending}
      error={save.error}
      onConfirm={() => typed !== null && typed.problem === null && save.mutate(typed.value)}
      onClose={close}
      onClosed={() => {
        setText('');
        onClosed();
      }}
    >
      <p className={classes.now}>
        Now: <strong>{describeLimit(field, present)}</strong>. {use}
      </p>
      <form onSubmit={submit} className={classes.form}>
        <TextInput
          label={`New ${noun}`}
          description={scope}
          autoComplete="off"
          data-autofocus
          {...limitInput(field)}
          value={text}
          error={typed?.problem ?? null}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </form>
      <div role="status" className={classes.preview}>
        {typed !== null && typed.problem === null && (
          <p>
            Saves {describeLimit(field, typed.value)}.
            {!isEnough(typed.value) && ' That is not enough yet: the same request would be denied again.'}
          </p>
        )}
      </div>
    </ConfirmDialog>
  );
}

type Raised =
  | { readonly value: number; readonly problem: null }
  | { readonly value: null; readonly problem: string };

/** An empty field means no limit on the guardrails page: here, it is not a value. */
function parseRaised(
  field: RaisableLimit,
  { text, present }: { text: string; present: number | null },
): Raised {
  const { value, problem } = parseLimit(field, text);
  if (problem !== null) return { value: null, problem };
  if (value === null || present === null) return { value: null, problem: 'There is no limit to raise' };
  return value > present
    ? { value, problem: null }
    : { value: null, problem: `Enter more than ${formatLimit(field, present)}` };
}

interface Raise {
  readonly intent: RaiseIntent | null;
  readonly present: number | null;
}

function conflictOf(field: RaisableLimit, { intent, present }: Raise): Conflict | null {
  if (intent === null || present === intent.from) return null;
  return { text: `Someone else saved ${describeLimit(field, present)}.`, isDone: present === null };
}
