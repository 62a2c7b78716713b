import { Tabs } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap } from '../../api/api-client.ts';
import { apiKeysQuery, runsQuery } from '../../api/queries.ts';
import { Allowed } from '../../components/allowed.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { SecretBox } from '../../components/secret-box.tsx';
import { ServerButton } from '../../components/server-button.tsx';
import { freshApiKey, SETUP_KEY, setFreshApiKey } from '../../session/fresh-api-key.ts';
import classes from './setup-page.module.css';
import { curlSnippet, KEY_PLACEHOLDER, sdkSnippet } from './snippets.ts';

const WAIT_REFRESH_MS = 1_500;

export function SetupPage() {
  const [apiKey, setApiKey] = useState(freshApiKey);
  const queryClient = useQueryClient();
  const create = useMutation({
    mutationFn: () => unwrap(api.POST('/v1/api-keys/', { body: SETUP_KEY })),
    onSuccess: async ({ key }) => {
      setFreshApiKey(key);
      setApiKey(key);
      await queryClient.invalidateQueries({ queryKey: apiKeysQuery.queryKey });
    },
  });
  const given = { url: window.location.origin, apiKey: apiKey ?? KEY_PLACEHOLDER };

  return (
    <>
      <PageHeader title="Set up" needs="change" description="Three steps to your first guarded run." />
      <div className="stack">
        <Panel
          title="1. Your API key"
          description="Your agents authenticate with it. It can start runs and steps, and cannot change guardrails. Keep it secret, like a password."
        >
          {apiKey !== null ? (
            <SecretBox secret={apiKey} />
          ) : (
            <div className={classes.noKey}>
              <Allowed needs="change" otherwise={<p>Ask an owner or admin of the workspace for a key.</p>}>
                <p>Keys are shown only once. Create a new one to fill in the code below.</p>
                <ServerButton variant="default" loading={create.isPending} onClick={() => create.mutate()}>
                  Create an API key
                </ServerButton>
              </Allowed>
              {create.isError && <ErrorNotice error={create.error} />}
            </div>
          )}
        </Panel>
        <Panel
          title="2. Start a run"
          description="A run asks for each step, reports what it used, and ends. Paste this into a terminal as often as you like, or use the SDK in your agent."
        >
          <Tabs defaultValue="curl" keepMounted={false}>
            <Tabs.List mb="sm">
              <Tabs.Tab value="curl">curl</Tabs.Tab>
              <Tabs.Tab value="sdk">TypeScript</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="curl">
              <CodeBlock label="curl command" code={curlSnippet(given)} />
            </Tabs.Panel>
            <Tabs.Panel value="sdk">
              <CodeBlock label="TypeScript code" code={sdkSnippet(given)} />
            </Tabs.Panel>
          </Tabs>
        </Panel>
        <Panel title="3. Check the result">
          <FirstRun />
        </Panel>
      </div>
    </>
  );
}

function FirstRun() {
  const runs = useQuery({
    ...runsQuery({ status: null, userId: null, page: 1, perPage: 1 }),
    refetchInterval: ({ state }) =>
      state.data === undefined || state.data.total === 0 ? WAIT_REFRESH_MS : false,
  });
  const first = runs.data?.items[0];
  return (
    <div role="status" className={classes.wait}>
      {first !== undefined ? (
        <>
          <span className={classes.arrived}>Your first run has arrived.</span>
          <LinkButton href={`/runs/${first.id}`}>View run</LinkButton>
          <LinkButton href="/" variant="default">
            Go to the overview
          </LinkButton>
        </>
      ) : runs.error !== null ? (
        <ErrorNotice error={runs.error} onRetry={() => void runs.refetch()} />
      ) : (
        <>
          <span className={classes.pulse} aria-hidden="true" />
          Waiting for your first run. It appears here automatically.
        </>
      )}
    </div>
  );
}
