import { ROUTES } from '@longshore/contract';
import { useState } from 'react';
import { useServices } from '../../client/session-context.tsx';
import { useQuery } from '../../client/use-query.ts';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { ProofProvider } from '../../proof/proof-gate.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { AuthenticatorCard } from './authenticator-card.tsx';
import { EventsCard } from './events-card.tsx';
import { KeysCard } from './keys-card.tsx';
import { MESSAGES } from './messages.ts';
import { SecurityCardsSkeleton } from './security-skeleton.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { TokensCard } from './tokens-card.tsx';

/** Sign-in methods, tokens, sessions and recent activity. */
export function SecurityScreen() {
  useDocumentTitle(MESSAGES.title);
  const { keys, recoveryCodes, tokens, sessions, events, isLoaded } = useSecurityLists();
  return (
    <ProofProvider>
      <PageHeader
        back={{ to: ROUTES.profile, label: MESSAGES.back }}
        title={MESSAGES.title}
        description={MESSAGES.description}
      />
      {isLoaded ? (
        <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
          <div className="grid min-w-0 grid-cols-1 gap-4">
            <KeysCard keys={keys} />
            <AuthenticatorCard count={recoveryCodes} />
            <TokensCard tokens={tokens} />
          </div>
          <div className="grid min-w-0 grid-cols-1 gap-4">
            <SessionsCard sessions={sessions} />
            <EventsCard events={events} />
          </div>
        </div>
      ) : (
        <SecurityCardsSkeleton />
      )}
    </ProofProvider>
  );
}

/** Loads all lists in parallel. They are shown together, because otherwise each one would move the others. */
function useSecurityLists() {
  const { account } = useServices();
  const lists = {
    keys: useQuery(account.listSecurityKeys),
    recoveryCodes: useQuery(account.countRecoveryCodes),
    tokens: useQuery(account.listPersonalAccessTokens),
    sessions: useQuery(account.listSessions),
    events: useQuery(account.listSecurityEvents),
  };
  // The session does not contain whether the authenticator app is on, so the user is loaded too.
  const user = useQuery(account.currentUser);
  const isWaiting = [user, ...Object.values(lists)].some(({ state }) => state.kind === 'loading');
  const [isLoaded, setLoaded] = useState(false);
  // Once shown, the lists stay visible while one of them is reloaded.
  if (!isWaiting && !isLoaded) setLoaded(true);
  return { ...lists, isLoaded };
}
