/** Which page a path shows, and to whom. */

import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { useSearchParameters } from './components/use-search-parameters.ts';
import { AppLayout } from './layout/app-layout.tsx';
import { ConnectionBar } from './layout/connection-bar.tsx';
import { lazyPart } from './loading/lazy-part.ts';
import { SignInPage } from './pages/sign-in/sign-in-page.tsx';
import { useSession } from './session/session.ts';

const OverviewPage = lazyPart(() => import('./pages/overview/overview-page.tsx'), 'OverviewPage');
const RunsPage = lazyPart(() => import('./pages/runs/runs-page.tsx'), 'RunsPage');
const RunDetailPage = lazyPart(() => import('./pages/run-detail/run-detail-page.tsx'), 'RunDetailPage');
const UsersPage = lazyPart(() => import('./pages/users/users-page.tsx'), 'UsersPage');
const GuardrailsPage = lazyPart(() => import('./pages/guardrails/guardrails-page.tsx'), 'GuardrailsPage');
const PricesPage = lazyPart(() => import('./pages/prices/prices-page.tsx'), 'PricesPage');
const SettingsPage = lazyPart(() => import('./pages/settings/settings-page.tsx'), 'SettingsPage');
const SetupPage = lazyPart(() => import('./pages/setup/setup-page.tsx'), 'SetupPage');
const RegisterPage = lazyPart(() => import('./pages/sign-in/register-page.tsx'), 'RegisterPage');
const NotFoundPage = lazyPart(() => import('./pages/not-found/not-found-page.tsx'), 'NotFoundPage');

export function App() {
  const { token } = useSession();
  const queryClient = useQueryClient();
  useEffect(() => {
    // The next person to sign in here must not see what the last one saw.
    if (token === null) queryClient.clear();
  }, [token, queryClient]);

  return (
    <>
      <ConnectionBar />
      {token === null ? <SignedOut /> : <SignedIn />}
    </>
  );
}

function SignedOut() {
  const [path] = useLocation();
  return (
    <Suspense fallback={null}>
      <Switch>
        <Route path="/sign-in" component={SignInPage} />
        <Route path="/register" component={RegisterPage} />
        <Route>
          <Redirect to={signInPath(path + window.location.search)} replace />
        </Route>
      </Switch>
    </Suspense>
  );
}

function SignedIn() {
  return (
    <Switch>
      <Route path="/sign-in" component={ReturnFromSignIn} />
      <Route path="/register">
        <Redirect to="/setup" replace />
      </Route>
      <Route>
        <AppLayout>
          <Switch>
            <Route path="/" component={OverviewPage} />
            <Route path="/setup" component={SetupPage} />
            <Route path="/runs" component={RunsPage} />
            <Route path="/runs/:runId" component={RunDetailPage} />
            <Route path="/users" component={UsersPage} />
            <Route path="/guardrails" component={GuardrailsPage} />
            <Route path="/prices" component={PricesPage} />
            <Route path="/settings" component={SettingsPage} />
            <Route component={NotFoundPage} />
          </Switch>
        </AppLayout>
      </Route>
    </Switch>
  );
}

/** Back to where the session ended. */
function ReturnFromSignIn() {
  const [parameters] = useSearchParameters();
  const path = parameters.get('return') ?? '/';
  // Only paths of this dashboard: never another host.
  return <Redirect to={/^\/(?![/\\])/.test(path) ? path : '/'} replace />;
}

function signInPath(path: string): string {
  return path === '/' ? '/sign-in' : `/sign-in?return=${encodeURIComponent(path)}`;
}
