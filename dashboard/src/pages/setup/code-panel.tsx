import { Skeleton } from '@mantine/core';
import { Allowed } from '../../components/allowed.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Panel } from '../../components/panel.tsx';
import { SecretBox } from '../../components/secret-box.tsx';
import { ServerButton } from '../../components/server-button.tsx';
import classes from './code-panel.module.css';
import type { SnippetInput } from './snippet-input.ts';
import { SnippetTabs } from './snippet-tabs.tsx';
import { RUN_SNIPPETS } from './snippets.ts';
import type { SetupKey } from './use-setup-key.ts';

/** For links to the panel. */
export const CODE_SECTION = 'code';

/** A key, and the code in which it is filled in. */
export function CodePanel({ setupKey, given }: { setupKey: SetupKey; given: SnippetInput }) {
  return (
    <Panel
      id={CODE_SECTION}
      title="Connect an agent"
      description="A run starts with a lease, asks before each step, reports what it used, and ends. Run the code as often as you like: a run that is interrupted ends with its lease."
    >
      <div className={classes.content}>
        <KeyBox setupKey={setupKey} />
        <SnippetTabs label="Code of a run" snippets={RUN_SNIPPETS} given={given} />
      </div>
    </Panel>
  );
}

function KeyBox({ setupKey }: { setupKey: SetupKey }) {
  const { apiKey, isLoading, isPending, error, create } = setupKey;
  if (isLoading) return <Skeleton height={96} radius="md" />;
  if (apiKey !== null) {
    return (
      <SecretBox secret={apiKey}>
        It is filled in below. It can start runs and steps, and cannot change guardrails. Keep it secret, like
        a password.
      </SecretBox>
    );
  }
  return (
    <div className={classes.noKey}>
      <Allowed
        needs="change"
        otherwise={<p>Ask an owner or admin of the workspace for a key.</p>}
        meanwhile={<Skeleton height={36} radius="md" />}
      >
        <p>Keys are shown only once. Create a new one to fill in the code below.</p>
        <ServerButton variant="default" loading={isPending} onClick={create}>
          Create an API key
        </ServerButton>
      </Allowed>
      {error !== null && <ErrorNotice error={error} />}
    </div>
  );
}
