import type { User } from '@longshore/contract';
import { BrowserRouter } from 'react-router';
import { LiveProvider } from '../backend/live-context.tsx';
import { useAuthState, useSignOut } from '../backend/use-auth.ts';
import { useLiveBackend } from '../backend/use-live-backend.ts';
import { forgetDraft } from '../features/deploy/draft-storage.ts';
import { CommandsProvider } from '../lib/commands-context.tsx';
import { DashboardLayout } from '../shell/dashboard-layout.tsx';
import { FullPageSpinner } from '../ui/full-page-spinner.tsx';
import { DashboardRoutes } from './dashboard-routes.tsx';

export function Dashboard() {
  const auth = useAuthState();
  return auth.kind === 'signed-in' ? <SignedInDashboard user={auth.user} /> : null;
}

function SignedInDashboard({ user }: { user: User }) {
  const signOut = useSignOut();
  const live = useLiveBackend(user.id);

  function leave() {
    forgetDraft(localStorage);
    // The gate leads to the login page at once. What the server says comes later, when one may have gone on from there.
    void signOut();
  }

  if (live === undefined) return <FullPageSpinner />;
  return (
    <LiveProvider user={user} live={live}>
      <BrowserRouter>
        <CommandsProvider>
          <DashboardLayout onSignOut={leave}>
            <DashboardRoutes />
          </DashboardLayout>
        </CommandsProvider>
      </BrowserRouter>
    </LiveProvider>
  );
}
