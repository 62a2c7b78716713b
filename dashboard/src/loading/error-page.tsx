import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { connection, useConnection } from '../api/connection.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { Icon } from '../components/icon.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { ChunkLoadError } from './lazy-load.ts';

/** Shown instead of a page that failed to load or render. */
export function ErrorPage({ error }: { error: unknown }) {
  const { lost } = useConnection();
  const [isStillLost, setStillLost] = useState(false);
  const isMissing = error instanceof ChunkLoadError;
  const wasLost = useRef(false);
  useEffect(() => {
    if (lost) wasLost.current = true;
    else if (wasLost.current && isMissing) window.location.reload();
  }, [lost, isMissing]);
  // A reload without a server would replace the dashboard with the browser's error page.
  const reload = async () => {
    if (await connection.check()) window.location.reload();
    else setStillLost(true);
  };
  const title = isMissing ? 'This page could not be loaded' : 'Something went wrong';

  return (
    <>
      <PageHeader title={title} />
      <EmptyState
        icon="warning"
        title={lost ? 'The server is not responding' : 'Reload the page to try again'}
        action={
          <Button onClick={() => void reload()} leftSection={<Icon name="refresh" size={15} />}>
            Reload
          </Button>
        }
      >
        {explain({ lost, isMissing, isStillLost })}
      </EmptyState>
    </>
  );
}

function explain(given: { lost: boolean; isMissing: boolean; isStillLost: boolean }): string {
  if (given.lost && given.isStillLost) return 'The server is still not responding. Reconnecting…';
  if (given.lost && given.isMissing) return 'The page loads automatically when the server is back.';
  if (given.isMissing) return 'A file of the dashboard is missing. The service may have been upgraded.';
  return 'An error occurred in the dashboard. Your agents and guardrails are not affected.';
}
