import type { User } from '@longshore/contract';
import { useEffect } from 'react';
import { BrowserRouter } from 'react-router';
import { useClient, useEnvironment } from '../client/console-environment.tsx';
import { SessionProvider } from '../client/session-context.tsx';
import { useAuthState, useSignOut } from '../client/use-auth.ts';
import { useSession } from '../client/use-session.ts';
import { clearDraft, removeStaleDraft } from '../features/deploy/draft-storage.ts';
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
  useDraftRemoval(user.id);

  if (session === undefined) return <FullPageSpinner />;
  return (
    <SessionProvider user={user} session={session}>
      <BrowserRouter>
        <CommandsProvider>
          {/* Not awaited: the gate shows the login page at once, and the user may leave it before the response arrives. */}
          <DashboardLayout onSignOut={() => void signOut()}>
            <DashboardRoutes />
          </DashboardLayout>
        </CommandsProvider>
      </BrowserRouter>
    </SessionProvider>
  );
}

/** Stale deploy drafts are removed when the page is opened or shown again, all drafts on sign-out in any tab. */
function useDraftRemoval(userId: string): void {
  const { now } = useEnvironment();
  const { auth } = useClient();
  useEffect(() => {
    const removeStale = () => removeStaleDraft(localStorage, { userId, nowMs: now() });
    removeStale();
    document.addEventListener('visibilitychange', removeStale);
    return () => {
      document.removeEventListener('visibilitychange', removeStale);
      const state = auth.state();
      // After an error, such as an expired session, the same user continues later.
      if (state.kind === 'signed-out' && state.error === undefined) clearDraft(localStorage);
    };
  }, [userId, now, auth]);
}
