import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import type { Schemas } from '../../api/api-client.ts';
import { patchWorkspace } from '../../api/patch-workspace.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ServerButton } from '../../components/server-button.tsx';
import { useDraft } from '../../components/use-draft.ts';
import { useRights } from '../../session/use-rights.ts';
import classes from './setting-form.module.css';

/** A setting of the workspace that is edited as text. */
export interface Setting<Value> {
  readonly label: string;
  readonly description: string;
  readonly placeholder: string;
  readonly inputMode: 'text' | 'numeric' | 'decimal';
  readonly leftSection?: ReactNode;
  readonly valueIn: (workspace: Schemas['Workspace']) => Value;
  readonly toText: (value: Value) => string;
  readonly parse: (
    text: string,
  ) => { readonly value: Value; readonly problem: null } | { readonly value: null; readonly problem: string };
  readonly toPatch: (value: Value) => Schemas['PatchWorkspace'];
  /** What saving the value does. */
  readonly preview: (value: Value) => string;
  /** The value in a sentence, after "Someone else saved". */
  readonly describe: (value: Value) => string;
  /** From when a saved value applies. */
  readonly applies: string;
}

interface SettingFormProps<Value> {
  readonly setting: Setting<Value>;
  readonly workspace: Schemas['Workspace'];
  readonly disabled?: boolean;
  /** Shown below the field for a valid value, typed or saved. */
  readonly effectOf?: ((value: Value) => ReactNode) | undefined;
}

/** A field for one setting, with its own save button and a preview of what is saved. */
export function SettingForm<Value>(props: SettingFormProps<Value>) {
  const { setting, workspace, disabled = false, effectOf } = props;
  const queryClient = useQueryClient();
  const value = setting.valueIn(workspace);
  const saved = setting.toText(value);
  const draft = useDraft(saved);
  const { mayChange } = useRights();
  // What a member has typed and may no longer save is not shown as if it were saved.
  const text = mayChange ? draft.text : saved;
  const parsed = setting.parse(text);
  const save = useMutation({
    mutationFn: (change: { readonly value: Value; readonly submitted: string }) =>
      patchWorkspace(queryClient, setting.toPatch(change.value)),
    onSuccess: (changed, { submitted }) =>
      draft.markSaved({ submitted, now: setting.toText(setting.valueIn(changed)) }),
  });
  // "0.50" is not a change if the saved value is 0.5.
  const isChanged =
    mayChange && draft.isChanged && (parsed.problem !== null || setting.toText(parsed.value) !== saved);
  const change = !disabled && isChanged && parsed.problem === null ? parsed : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (change !== null) save.mutate({ value: change.value, submitted: draft.text });
  };

  return (
    <form onSubmit={submit}>
      <TextInput
        label={setting.label}
        description={setting.description}
        inputMode={setting.inputMode}
        autoComplete="off"
        leftSection={setting.leftSection ?? null}
        placeholder={setting.placeholder}
        disabled={disabled}
        readOnly={!mayChange}
        error={isChanged ? parsed.problem : null}
        {...draft.inputProps}
        value={text}
        onChange={(event) => {
          draft.setText(event.currentTarget.value);
          save.reset();
        }}
        inputContainer={(input) => (
          <div className={classes.row}>
            <div className={classes.input}>{input}</div>
            <ServerButton
              needs="change"
              type="submit"
              variant={isChanged ? 'filled' : 'default'}
              disabled={change === null}
              loading={save.isPending}
              aria-label={`Save: ${setting.label}`}
            >
              Save
            </ServerButton>
          </div>
        )}
      />
      <div role="status" className={classes.status}>
        {change !== null && <p className={classes.saves}>{setting.preview(change.value)}</p>}
        {mayChange && draft.isOutdated && (
          <p className={classes.outdated}>Someone else saved {setting.describe(value)}</p>
        )}
        {save.isSuccess && !isChanged && <p className={classes.saved}>Saved. {setting.applies}</p>}
      </div>
      {parsed.problem === null && effectOf?.(parsed.value)}
      {save.isError && <ErrorNotice error={save.error} />}
    </form>
  );
}
