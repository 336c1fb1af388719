import { ROUTES, type User } from '@longshore/contract';
import { BrowserRouter } from 'react-router';
import { forgetDraft } from '../features/deploy/draft-storage.ts';
import { useAuth } from '../lib/backend-context.tsx';
import { LiveProvider } from '../lib/live-context.tsx';
import { usePlace } from '../lib/place-context.tsx';
import { DashboardLayout } from '../shell/dashboard-layout.tsx';
import { FullPageSpinner } from '../ui/full-page-spinner.tsx';
import { DashboardRoutes } from './dashboard-routes.tsx';
import { useLiveBackend } from './use-live-backend.ts';

export function Dashboard() {
  const { current } = useAuth();
  return current.kind === 'signed-in' ? <SignedInDashboard user={current.user} /> : null;
}

function SignedInDashboard({ user }: { user: User }) {
  const { signOut } = useAuth();
  const place = usePlace();
  const live = useLiveBackend(user.id);

  async function leave() {
    forgetDraft(localStorage);
    await signOut();
    place.go(ROUTES.login);
  }

  if (live === undefined) return <FullPageSpinner />;
  return (
    <LiveProvider user={user} live={live}>
      <BrowserRouter>
        <DashboardLayout onSignOut={() => void leave()}>
          <DashboardRoutes />
        </DashboardLayout>
      </BrowserRouter>
    </LiveProvider>
  );
}
