import { Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { api, unwrap } from '../../api/api-client.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { NewPasswordInput } from '../../components/new-password-input.tsx';
import { Notice } from '../../components/notice.tsx';
import { ServerButton } from '../../components/server-button.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { session, useSession } from '../../session/session.ts';
import { EntryLayout } from './entry-layout.tsx';

/** The page of an invitation: `/join#email=…&token=…`. */
export function JoinPage() {
  // After #, so that it is in no log.
  const [given] = useState(() => new URLSearchParams(window.location.hash.slice(1)));
  const email = given.get('email') ?? '';
  const token = given.get('token') ?? '';
  return (
    <EntryLayout
      title="Join a workspace"
      footer={
        <>
          Joined before? <TextLink href="/sign-in">Sign in</TextLink>
        </>
      }
    >
      {email === '' || token === '' ? (
        <Notice tone="neutral" role="status" icon="key" title="This link is incomplete.">
          Open the whole link of your invitation, or ask an owner of the workspace for a new one.
        </Notice>
      ) : (
        <JoinForm email={email} invitation={token} />
      )}
    </EntryLayout>
  );
}

function JoinForm({ email, invitation }: { email: string; invitation: string }) {
  const [, navigate] = useLocation();
  const queryClient = useQueryClient();
  const isSignedIn = useSession().token !== null;
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const join = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/v1/auth/register', { body: { email, password, name: name.trim() || null, invitation } }),
      ),
    onSuccess: ({ access_token }) => {
      // Another account may have been signed in: its data must not be shown.
      queryClient.clear();
      session.signIn(access_token);
      navigate('/', { replace: true });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    join.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {isSignedIn && !join.isSuccess && (
          <Notice tone="neutral" role="status" icon="key" title="You are signed in with another account.">
            Joining signs that one out in this browser.
          </Notice>
        )}
        {join.isError && <ErrorNotice error={join.error} />}
        <TextInput
          size="md"
          label="E-mail"
          description="The invitation is for this e-mail"
          type="email"
          autoComplete="username"
          readOnly
          value={email}
        />
        <TextInput
          size="md"
          label="Your name"
          description="Optional; other members see it"
          autoComplete="name"
          autoFocus
          maxLength={255}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <NewPasswordInput size="md" value={password} onChange={setPassword} />
        <ServerButton type="submit" size="md" loading={join.isPending} fullWidth>
          Join
        </ServerButton>
      </Stack>
    </form>
  );
}
