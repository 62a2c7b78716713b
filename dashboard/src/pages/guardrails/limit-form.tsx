import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { api, unwrap } from '../../api/api-client.ts';
import { workspaceQuery } from '../../api/queries.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ServerButton } from '../../components/server-button.tsx';
import { useDraft } from '../../components/use-draft.ts';
import { describeLimit, LIMITS, type LimitField, parseLimit } from '../../format/guardrails.ts';
import { toPlainDecimal } from '../../format/money.ts';
import classes from './limit-form.module.css';

interface LimitFormProps {
  readonly field: LimitField;
  readonly value: number | null;
  readonly disabled: boolean;
}

/** A field for one limit, with its own save button and a preview of what is saved. */
export function LimitForm({ field, value, disabled }: LimitFormProps) {
  const { label, description, unit, empty, applies } = LIMITS[field];
  const queryClient = useQueryClient();
  const draft = useDraft(toText(value));
  const parsed = parseLimit(field, draft.text);
  const save = useMutation({
    mutationFn: ({ limit }: { limit: number | null; submitted: string }) =>
      unwrap(api.PATCH('/v1/workspace/', { body: { [field]: limit } })),
    onSuccess: (changed, { submitted }) => {
      queryClient.setQueryData(workspaceQuery.queryKey, changed);
      draft.markSaved({ submitted, now: toText(changed[field]) });
    },
  });
  // "0.50" is not a change if the saved value is 0.5.
  const isChanged = draft.isChanged && (parsed.problem !== null || parsed.value !== value);
  const canSave = !disabled && isChanged && parsed.problem === null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (canSave) save.mutate({ limit: parsed.value, submitted: draft.text });
  };

  return (
    <form onSubmit={submit}>
      <TextInput
        label={label}
        description={description}
        inputMode={unit === 'usd' ? 'decimal' : 'numeric'}
        autoComplete="off"
        leftSection={unit === 'usd' ? '$' : null}
        placeholder={empty?.placeholder ?? ''}
        disabled={disabled}
        error={isChanged ? parsed.problem : null}
        {...draft.inputProps}
        onChange={(event) => {
          draft.setText(event.currentTarget.value);
          save.reset();
        }}
        inputContainer={(input) => (
          <div className={classes.row}>
            <div className={classes.input}>{input}</div>
            <ServerButton
              type="submit"
              variant={isChanged ? 'filled' : 'default'}
              disabled={!canSave}
              loading={save.isPending}
              aria-label={`Save: ${label}`}
            >
              Save
            </ServerButton>
          </div>
        )}
      />
      <div role="status" className={classes.status}>
        {canSave && (
          <p className={classes.saves}>
            {parsed.value === null ? empty?.effect : `Saves ${describeLimit(field, parsed.value)}`}
          </p>
        )}
        {draft.isOutdated && (
          <p className={classes.outdated}>Someone else saved {describeLimit(field, value)}</p>
        )}
        {save.isSuccess && !isChanged && <p className={classes.saved}>Saved. {applies}</p>}
      </div>
      {save.isError && <ErrorNotice error={save.error} />}
    </form>
  );
}

function toText(value: number | null): string {
  return value === null ? '' : toPlainDecimal(value);
}
