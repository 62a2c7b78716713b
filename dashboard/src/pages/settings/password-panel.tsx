import { PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, unwrap } from '../../api/api-client.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { NewPasswordInput } from '../../components/new-password-input.tsx';
import { Panel } from '../../components/panel.tsx';
import { ServerButton } from '../../components/server-button.tsx';
import { MIN_PASSWORD_LENGTH } from '../../session/password.ts';
import { session } from '../../session/session.ts';
import classes from './settings-forms.module.css';

export function PasswordPanel() {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const change = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/v1/auth/change-password', { body: { current_password: current, new_password: next } }),
      ),
    onSuccess: ({ access_token }) => {
      session.signIn(access_token);
      setCurrent('');
      setNext('');
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <Panel title="Password" description="Changing the password signs out all other browsers.">
      <form onSubmit={submit} className={classes.form}>
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={current}
          onChange={(event) => setCurrent(event.currentTarget.value)}
        />
        <NewPasswordInput label="New password" value={next} onChange={setNext} />
        {change.isError && <ErrorNotice error={change.error} />}
        <div>
          <ServerButton
            type="submit"
            loading={change.isPending}
            disabled={current === '' || next.length < MIN_PASSWORD_LENGTH}
          >
            Change password
          </ServerButton>
        </div>
        <p className={classes.saved} role="status">
          {change.isSuccess && 'Password changed.'}
        </p>
      </form>
    </Panel>
  );
}
