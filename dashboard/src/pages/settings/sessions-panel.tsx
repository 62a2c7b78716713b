import { useMutation } from '@tanstack/react-query';
import { api, unwrap } from '../../api/api-client.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Panel } from '../../components/panel.tsx';
import { ServerButton } from '../../components/server-button.tsx';
import { session } from '../../session/session.ts';

export function SessionsPanel() {
  const end = useMutation({
    mutationFn: () => unwrap(api.POST('/v1/auth/logout-everywhere')),
    onSuccess: () => session.signOut(),
  });
  return (
    <Panel
      title="Sessions"
      description="Signs you out in every browser, including this one. API keys keep working."
    >
      {end.isError && <ErrorNotice error={end.error} />}
      <ServerButton variant="default" loading={end.isPending} onClick={() => end.mutate()}>
        Sign out everywhere
      </ServerButton>
    </Panel>
  );
}
