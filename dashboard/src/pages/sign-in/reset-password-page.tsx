import { Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { api, unwrap } from '../../api/api-client.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { NewPasswordInput } from '../../components/new-password-input.tsx';
import { Notice } from '../../components/notice.tsx';
import { ServerButton } from '../../components/server-button.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { session } from '../../session/session.ts';
import { EntryLayout } from './entry-layout.tsx';

export function ResetPasswordPage() {
  const [, navigate] = useLocation();
  // After #, so that it is in no log.
  const [token] = useState(() => window.location.hash.slice(1));
  const [password, setPassword] = useState('');
  const reset = useMutation({
    mutationFn: () =>
      unwrap(api.POST('/v1/auth/reset-password', { body: { token, new_password: password } })),
    onSuccess: ({ access_token }) => {
      session.signIn(access_token);
      navigate('/', { replace: true });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    reset.mutate();
  };
  return (
    <EntryLayout
      title="Set a new password"
      footer={
        <>
          Remembered it? <TextLink href="/sign-in">Sign in</TextLink>
        </>
      }
    >
      {token === '' ? (
        <Notice tone="neutral" role="status" icon="key" title="This link is incomplete.">
          Open the whole link that you got from the operator of this service.
        </Notice>
      ) : (
        <form onSubmit={submit}>
          <Stack gap="md">
            {reset.isError && <ErrorNotice error={reset.error} />}
            <NewPasswordInput
              size="md"
              label="New password"
              consequence="You will be signed out everywhere else."
              autoFocus
              value={password}
              onChange={setPassword}
            />
            <ServerButton type="submit" size="md" loading={reset.isPending} fullWidth>
              Set password
            </ServerButton>
          </Stack>
        </form>
      )}
    </EntryLayout>
  );
}
