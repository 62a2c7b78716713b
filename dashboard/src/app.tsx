/** The routes, for signed-out and signed-in users. */

import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { useSearchParameters } from './components/use-search-parameters.ts';
import { MODEL_PATH, USER_PATH } from './format/page-address.ts';
import { AppLayout } from './layout/app-layout.tsx';
import { ConnectionBar } from './layout/connection-bar.tsx';
import { lazyLoad } from './loading/lazy-load.ts';
import { OverviewPage } from './pages/overview/overview-page.tsx';
import { useSession } from './session/session.ts';

// The first page after sign-in is part of the main script; the others load on demand.
const RunsPage = lazyLoad(() => import('./pages/runs/runs-page.tsx'), 'RunsPage');
const RunDetailPage = lazyLoad(() => import('./pages/run-detail/run-detail-page.tsx'), 'RunDetailPage');
const UsersPage = lazyLoad(() => import('./pages/users/users-page.tsx'), 'UsersPage');
const UserPage = lazyLoad(() => import('./pages/user/user-page.tsx'), 'UserPage');
const ModelsPage = lazyLoad(() => import('./pages/models/models-page.tsx'), 'ModelsPage');
const ModelPage = lazyLoad(() => import('./pages/model/model-page.tsx'), 'ModelPage');
const GuardrailsPage = lazyLoad(() => import('./pages/guardrails/guardrails-page.tsx'), 'GuardrailsPage');
const PricesPage = lazyLoad(() => import('./pages/prices/prices-page.tsx'), 'PricesPage');
const ActivityPage = lazyLoad(() => import('./pages/activity/activity-page.tsx'), 'ActivityPage');
const SettingsPage = lazyLoad(() => import('./pages/settings/settings-page.tsx'), 'SettingsPage');
const SetupPage = lazyLoad(() => import('./pages/setup/setup-page.tsx'), 'SetupPage');
const SignInPage = lazyLoad(() => import('./pages/sign-in/sign-in-page.tsx'), 'SignInPage');
const RegisterPage = lazyLoad(() => import('./pages/sign-in/register-page.tsx'), 'RegisterPage');
const ResetPasswordPage = lazyLoad(
  () => import('./pages/sign-in/reset-password-page.tsx'),
  'ResetPasswordPage',
);
const JoinPage = lazyLoad(() => import('./pages/sign-in/join-page.tsx'), 'JoinPage');
const NotFoundPage = lazyLoad(() => import('./pages/not-found/not-found-page.tsx'), 'NotFoundPage');

export function App() {
  const { token } = useSession();
  const queryClient = useQueryClient();
  useEffect(() => {
    // The next user to sign in must not see cached data of the previous one.
    if (token === null) queryClient.clear();
  }, [token, queryClient]);

  return (
    <>
      <ConnectionBar />
      <Suspense fallback={null}>
        <Switch>
          <Route path="/reset-password" component={ResetPasswordPage} />
          <Route path="/join" component={JoinPage} />
          <Route>{token === null ? <SignedOut /> : <SignedIn />}</Route>
        </Switch>
      </Suspense>
    </>
  );
}

function SignedOut() {
  const [path] = useLocation();
  return (
    <Switch>
      <Route path="/sign-in" component={SignInPage} />
      <Route path="/register" component={RegisterPage} />
      <Route>
        <Redirect to={signInPath(path + window.location.search)} replace />
      </Route>
    </Switch>
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
            <Route path={USER_PATH} component={UserPage} />
            <Route path="/models" component={ModelsPage} />
            <Route path={MODEL_PATH} component={ModelPage} />
            <Route path="/guardrails" component={GuardrailsPage} />
            <Route path="/prices" component={PricesPage} />
            <Route path="/activity" component={ActivityPage} />
            <Route path="/settings" component={SettingsPage} />
            <Route component={NotFoundPage} />
          </Switch>
        </AppLayout>
      </Route>
    </Switch>
  );
}

/** Redirects to the page that required the sign-in. */
function ReturnFromSignIn() {
  const [parameters] = useSearchParameters();
  const path = parameters.get('return') ?? '/';
  // Prevents open redirects: only paths on this host.
  return <Redirect to={/^\/(?![/\\])/.test(path) ? path : '/'} replace />;
}

function signInPath(path: string): string {
  return path === '/' ? '/sign-in' : `/sign-in?return=${encodeURIComponent(path)}`;
}
