import './mantine-styles.css';
import './styles.css';
import { MantineProvider } from '@mantine/core';
import { onlineManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from './api/api-error.ts';
import { connection } from './api/connection.ts';
import { App } from './app.tsx';
import { BrokenPage } from './loading/broken-page.tsx';
import { ErrorBoundary } from './loading/error-boundary.tsx';
import { theme } from './theme.ts';

const MAX_RETRIES = 2;

/** Style elements made at run time carry the nonce of the page, or its Content-Security-Policy refuses them. */
const nonce = document.querySelector<HTMLElement>('meta[property=csp-nonce]')?.nonce ?? '';
setNonce(nonce);

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // What several parts of a page ask for at once is asked for once; a new page asks again.
      staleTime: 500,
      // What the server refused it will refuse again; what did not arrive may the next time.
      retry: (failures, error) =>
        failures < MAX_RETRIES && (!(error instanceof ApiError) || error.status >= 500),
      // Done below, also for what waits for an answer that will not come.
      refetchOnReconnect: false,
    },
    // Never kept for later: a change is made now or not at all.
    mutations: { networkMode: 'always' },
  },
});

/** Without a server nothing is asked for, and what is shown stays; when it is back everything is asked for again. */
onlineManager.setEventListener((setOnline) =>
  connection.subscribe(() => {
    const { lost } = connection.current();
    setOnline(!lost);
    if (!lost) void queryClient.invalidateQueries();
  }),
);

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has an element #root');

// The script is there; see public/start-check.js.
document.dispatchEvent(new Event('guarded-runs-started'));

createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      <QueryClientProvider client={queryClient}>
        <ErrorBoundary fallback={(error) => <BrokenPage error={error} />}>
          <App />
        </ErrorBoundary>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
