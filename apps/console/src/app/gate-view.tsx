import { Suspense, useEffect, useRef } from 'react';
import { useAuthState } from '../client/use-auth.ts';
import { lazyScreen } from '../lib/lazy-screen.ts';
import { usePageLocation } from '../lib/page-location.tsx';
import { rememberReturnPath, returnPathOf } from '../lib/return-path.ts';
import { useObservable } from '../lib/use-observable.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { FullPageSpinner } from '../ui/full-page-spinner.tsx';
import { PageFailed } from '../ui/page-failed.tsx';
import { type Page, pageAt, pageToRemember, type VisitorPage } from './gate.ts';
import { useLostSessionToast } from './use-lost-session-toast.ts';

const VISITOR_SCREENS: Record<VisitorPage, ReturnType<typeof lazyScreen>> = {
  login: lazyScreen(() => import('../features/auth/login-screen.tsx'), 'LoginScreen'),
  signup: lazyScreen(() => import('../features/auth/signup-screen.tsx'), 'SignupScreen'),
  'verify-email': lazyScreen(
    () => import('../features/auth/verify-email-screen.tsx'),
    'VerifyEmailScreen',
  ),
  'forgot-password': lazyScreen(
    () => import('../features/auth/forgot-password-screen.tsx'),
    'ForgotPasswordScreen',
  ),
};
const Dashboard = lazyScreen(() => import('./dashboard.tsx'), 'Dashboard');
const NotFound = lazyScreen(() => import('./not-found.tsx'), 'NotFound');

/** Renders the page that `pageAt` returns and follows its redirects. After sign-in, it returns to the requested page. */
export function Gate() {
  const location = usePageLocation();
  const path = useObservable(location);
  const auth = useAuthState();
  const page = pageAt(path, auth);
  useLostSessionToast(auth);
  const { to, keepsQuery = false } = page.kind === 'redirect' ? page : {};
  const previousAuth = useRef(auth);
  useEffect(() => {
    const before = previousAuth.current;
    previousAuth.current = auth;
    if (to === undefined) return;
    let target = to;
    if (auth.kind === 'signed-out') {
      rememberReturnPath(sessionStorage, pageToRemember(before, auth, location.href()));
    } else if (auth.kind === 'signed-in' && path !== '/') {
      const visitor = { origin: window.location.origin, userId: auth.user.id };
      target = returnPathOf(sessionStorage, visitor) ?? to;
      rememberReturnPath(sessionStorage, undefined);
    }
    location.navigate(target, { replace: true, keepsQuery });
  }, [location, path, auth, to, keepsQuery]);
  return (
    <ErrorBoundary fallback={<GateFailed />}>
      <Suspense fallback={<FullPageSpinner />}>{screenOf(page)}</Suspense>
    </ErrorBoundary>
  );
}

function GateFailed() {
  return (
    <main>
      <PageFailed />
    </main>
  );
}

function screenOf(page: Page) {
  switch (page.kind) {
    case 'redirect':
    case 'nothing':
      return null;
    case 'spinner':
      return <FullPageSpinner />;
    case 'visitor': {
      const Screen = VISITOR_SCREENS[page.page];
      return <Screen />;
    }
    case 'dashboard':
      return <Dashboard />;
    case 'not-found':
      return (
        <main>
          <NotFound />
        </main>
      );
  }
}
