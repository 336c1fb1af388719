import { ROUTES, type User } from '@longshore/contract';
import { BrowserRouter } from 'react-router';
import { LiveProvider } from '../backend/live-context.tsx';
import { useAuthState, useSignOut } from '../backend/use-auth.ts';
import { useLiveBackend } from '../backend/use-live-backend.ts';
import { forgetDraft } from '../features/deploy/draft-storage.ts';
import { CommandsProvider } from '../lib/commands-context.tsx';
import { usePlace } from '../lib/place-context.tsx';
import { DashboardLayout } from '../shell/dashboard-layout.tsx';
import { FullPageSpinner } from '../ui/full-page-spinner.tsx';
import { DashboardRoutes } from './dashboard-routes.tsx';

export function Dashboard() {
  const auth = useAuthState();
  return auth.kind === 'signed-in' ? <SignedInDashboard user={auth.user} /> : null;
}

function SignedInDashboard({ user }: { user: User }) {
  const signOut = useSignOut();
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
        <CommandsProvider>
          <DashboardLayout onSignOut={() => void leave()}>
            <DashboardRoutes />
          </DashboardLayout>
        </CommandsProvider>
      </BrowserRouter>
    </LiveProvider>
  );
}
