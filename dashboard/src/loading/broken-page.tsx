import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { connection, useConnection } from '../api/connection.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { Icon } from '../components/icon.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { MissingPartError } from './lazy-part.ts';

/** In place of a page that cannot be loaded or drawn. */
export function BrokenPage({ error }: { error: unknown }) {
  const { lost } = useConnection();
  const [isStillLost, setStillLost] = useState(false);
  const isMissing = error instanceof MissingPartError;
  const wasLost = useRef(false);
  useEffect(() => {
    if (lost) wasLost.current = true;
    else if (wasLost.current && isMissing) window.location.reload();
  }, [lost, isMissing]);
  // Without a server the browser would replace the dashboard by a page of its own.
  const reload = async () => {
    if (await connection.check()) window.location.reload();
    else setStillLost(true);
  };
  const title = isMissing ? 'This page could not be loaded' : 'This page does not work';

  return (
    <>
      <PageHeader title={title} />
      <EmptyState
        icon="warning"
        title={lost ? 'The server does not answer' : 'A reload may help'}
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
  if (given.lost && given.isStillLost) return 'The server still does not answer. Trying again.';
  if (given.lost && given.isMissing) return 'It loads by itself when the server is back.';
  if (given.isMissing) return 'A file of the dashboard is missing. The service may have been upgraded.';
  return 'The dashboard met an error of its own. Your agents and guardrails are not affected.';
}
