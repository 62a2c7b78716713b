import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { answerOf, api } from '../../api/api-client.ts';
import { workspaceQuery } from '../../api/queries.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { parseUsd, toPlainDecimal } from '../../format/money.ts';
import classes from './limit-form.module.css';

export type LimitField = 'daily_budget_usd' | 'user_daily_budget_usd' | 'max_concurrent_runs';

interface LimitFormProps {
  readonly field: LimitField;
  readonly label: string;
  readonly description: string;
  readonly value: number | null;
  readonly disabled?: boolean;
}

/** One limit with its own save button. */
export function LimitForm({ field, label, description, value, disabled = false }: LimitFormProps) {
  const queryClient = useQueryClient();
  const saved = value === null ? '' : toPlainDecimal(value);
  /** null: as it is saved, also when that changes elsewhere. */
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? saved;
  const parsed = parseLimit(field, text);
  const save = useMutation({
    mutationFn: (limit: number | null) => answerOf(api.PATCH('/v1/workspace/', { body: { [field]: limit } })),
    onSuccess: (changed) => {
      queryClient.setQueryData(workspaceQuery.queryKey, changed);
      setTyped(null);
    },
  });
  const changed = text.trim() !== saved;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (changed && parsed.error === null) save.mutate(parsed.limit);
  };

  return (
    <form onSubmit={submit}>
      <div className={classes.row}>
        <TextInput
          className={classes.input}
          label={label}
          description={description}
          inputMode={field === 'max_concurrent_runs' ? 'numeric' : 'decimal'}
          leftSection={field === 'max_concurrent_runs' ? null : '$'}
          placeholder={field === 'max_concurrent_runs' ? '' : 'No limit'}
          disabled={disabled}
          value={text}
          error={changed ? parsed.error : null}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            save.reset();
          }}
        />
        <Button
          type="submit"
          variant={changed ? 'filled' : 'default'}
          disabled={disabled || !changed || parsed.error !== null}
          loading={save.isPending}
          aria-label={`Save: ${label}`}
        >
          Save
        </Button>
      </div>
      <div role="status" className={classes.saved}>
        {save.isSuccess && !changed && 'Saved. It counts from the next decision on.'}
      </div>
      {save.isError && <ErrorNotice error={save.error} />}
    </form>
  );
}

function parseLimit(field: LimitField, text: string): { limit: number | null; error: string | null } {
  if (field === 'max_concurrent_runs') {
    const limit = /^\d+$/.test(text.trim()) ? Number(text) : 0;
    return limit >= 1 ? { limit, error: null } : { limit, error: 'A whole number, at least 1' };
  }
  if (text.trim() === '') return { limit: null, error: null };
  const limit = parseUsd(text);
  return { limit, error: limit === null ? 'An amount such as 25 or 0.50, or nothing' : null };
}
