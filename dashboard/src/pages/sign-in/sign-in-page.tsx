import { PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, unwrap } from '../../api/api-client.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { ServerButton } from '../../components/server-button.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useSearchParameters } from '../../components/use-search-parameters.ts';
import { session, useSession } from '../../session/session.ts';
import { EntryLayout } from './entry-layout.tsx';

export function SignInPage() {
  const { expired } = useSession();
  const [parameters] = useSearchParameters();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const signIn = useMutation({
    mutationFn: () => unwrap(api.POST('/v1/auth/login', { body: { email: email.trim(), password } })),
    onSuccess: ({ access_token }) => session.signIn(access_token),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate();
  };
  const hasReturnPath = parameters.get('return') !== null;

  return (
    <EntryLayout
      title="Sign in"
      footer={
        <>
          New here? <TextLink href="/register">Create an account</TextLink>
          <br />
          Forgot your password? Ask your operator for a link.
        </>
      }
    >
      <form onSubmit={submit}>
        <Stack gap="md">
          {expired && !signIn.isError && (
            <Notice tone="neutral" role="status" icon="key" title="Your session has expired.">
              {hasReturnPath ? 'Sign in to continue where you left off.' : 'Please sign in again.'}
            </Notice>
          )}
          {signIn.isError && <ErrorNotice error={signIn.error} />}
          <TextInput
            size="md"
            label="E-mail"
            type="email"
            autoComplete="username"
            required
            withAsterisk={false}
            autoFocus
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordInput
            size="md"
            label="Password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <ServerButton type="submit" size="md" loading={signIn.isPending} fullWidth>
            Sign in
          </ServerButton>
        </Stack>
      </form>
    </EntryLayout>
  );
}
