import { Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { api, unwrap } from '../../api/api-client.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { NewPasswordInput } from '../../components/new-password-input.tsx';
import { ServerButton } from '../../components/server-button.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { SETUP_KEY, setFreshApiKey } from '../../session/fresh-api-key.ts';
import { session } from '../../session/session.ts';
import { EntryLayout } from './entry-layout.tsx';

export function RegisterPage() {
  const [, navigate] = useLocation();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [workspaceName, setWorkspaceName] = useState('');
  const register = useMutation({
    mutationFn: async () => {
      const { access_token } = await unwrap(
        api.POST('/v1/auth/register', {
          body: { email: email.trim(), password, workspace_name: workspaceName.trim() || null },
        }),
      );
      return { token: access_token, agentKey: await createAgentKey(access_token) };
    },
    onSuccess: ({ token, agentKey }) => {
      setFreshApiKey(agentKey);
      session.signIn(token);
      navigate('/setup', { replace: true });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    register.mutate();
  };

  return (
    <EntryLayout
      title="Create an account"
      footer={
        <>
          Already have an account? <TextLink href="/sign-in">Sign in</TextLink>
        </>
      }
    >
      <form onSubmit={submit}>
        <Stack gap="md">
          {register.isError && <ErrorNotice error={register.error} />}
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
          <NewPasswordInput size="md" value={password} onChange={setPassword} />
          <TextInput
            size="md"
            label="Workspace name"
            description="Optional; you can change it later"
            autoComplete="organization"
            maxLength={255}
            value={workspaceName}
            onChange={(event) => setWorkspaceName(event.currentTarget.value)}
          />
          <ServerButton type="submit" size="md" loading={register.isPending} fullWidth>
            Create account
          </ServerButton>
        </Stack>
      </form>
    </EntryLayout>
  );
}

/** Returns null if this fails: the account exists, and the setup page has a button for it. */
async function createAgentKey(token: string): Promise<string | null> {
  try {
    const headers = { authorization: `Bearer ${token}` };
    return (await unwrap(api.POST('/v1/api-keys/', { body: SETUP_KEY, headers }))).key;
  } catch {
    return null;
  }
}
