import './mantine-styles.css';
import './styles.css';
import { MantineProvider } from '@mantine/core';
import {
  MutationCache,
  onlineManager,
  QueryCache,
  QueryClient,
  QueryClientProvider,
} from '@tanstack/react-query';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from './api/api-error.ts';
import { connection } from './api/connection.ts';
import { CurrentQueries } from './api/current-queries.ts';
import { LiveUpdates } from './api/live-updates.ts';
import { meQuery } from './api/queries.ts';
import { App } from './app.tsx';
import { ErrorBoundary } from './loading/error-boundary.tsx';
import { ErrorPage } from './loading/error-page.tsx';
import { theme } from './theme.ts';

const MAX_RETRIES = 2;
const FORBIDDEN = 403;

/** The Content-Security-Policy rejects style elements created at run time unless they carry the nonce of the page. */
const nonce = document.querySelector<HTMLElement>('meta[property=csp-nonce]')?.nonce ?? '';
setNonce(nonce);

/** A member whose role has changed sees the controls of the new one as soon as a request is refused. */
const onError = (error: unknown) => {
  if (error instanceof ApiError && error.status === FORBIDDEN)
    void queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
};

const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      // Long enough to share a query between components of a page, short enough to refetch on the next page.
      staleTime: 500,
      // A rejected request would be rejected again; a network or server error may be transient.
      retry: (failures, error) =>
        failures < MAX_RETRIES && (!(error instanceof ApiError) || error.status >= 500),
      // The listener below refetches, including queries that are paused.
      refetchOnReconnect: false,
    },
    // A mutation fails while offline instead of being queued.
    mutations: { networkMode: 'always' },
  },
});

/** Pauses all queries while the server is unreachable, and refetches them when it is back. */
onlineManager.setEventListener((setOnline) =>
  connection.subscribe(() => {
    const { lost } = connection.current();
    setOnline(!lost);
    if (!lost) void queryClient.invalidateQueries();
  }),
);

new LiveUpdates(new CurrentQueries(queryClient)).start();

const root = document.getElementById('root');
if (root === null) throw new Error('Element #root is missing in index.html');

// Tells public/start.js that this script has loaded.
document.dispatchEvent(new Event('guarded-runs-started'));

createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      <QueryClientProvider client={queryClient}>
        <ErrorBoundary fallback={(error) => <ErrorPage error={error} />}>
          <App />
        </ErrorBoundary>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
