import type { User } from '@longshore/contract';
import { BrowserRouter } from 'react-router';
import { SessionProvider } from '../client/session-context.tsx';
import { useAuthState, useSignOut } from '../client/use-auth.ts';
import { useSession } from '../client/use-session.ts';
import { clearDraft } from '../features/deploy/draft-storage.ts';
import { CommandsProvider } from '../lib/commands.tsx';
import { DashboardLayout } from '../shell/dashboard-layout.tsx';
import { FullPageSpinner } from '../ui/full-page-spinner.tsx';
import { DashboardRoutes } from './dashboard-routes.tsx';

export function Dashboard() {
  const auth = useAuthState();
  return auth.kind === 'signed-in' ? <SignedInDashboard user={auth.user} /> : null;
}

function SignedInDashboard({ user }: { user: User }) {
  const signOut = useSignOut();
  const session = useSession(user.id);

  function signOutAndClearDraft() {
    clearDraft(localStorage);
    // Not awaited: the gate shows the login page at once, and the user may be on another page when the response arrives.
    void signOut();
  }

  if (session === undefined) return <FullPageSpinner />;
  return (
    <SessionProvider user={user} session={session}>
      <BrowserRouter>
        <CommandsProvider>
          <DashboardLayout onSignOut={signOutAndClearDraft}>
            <DashboardRoutes />
          </DashboardLayout>
        </CommandsProvider>
      </BrowserRouter>
    </SessionProvider>
  );
}
