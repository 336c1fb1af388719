import { ROUTES } from '@longshore/contract';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { AuthenticatorCard } from './authenticator-card.tsx';
import { EventsCard } from './events-card.tsx';
import { KeysCard } from './keys-card.tsx';
import { MESSAGES } from './messages.ts';
import { SecurityCardsSkeleton } from './security-skeleton.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { TokensCard } from './tokens-card.tsx';
import { useSecurityLists } from './use-security-lists.ts';

/** Sign-in methods, tokens, sessions and recent activity. */
export function SecurityScreen() {
  useDocumentTitle(MESSAGES.title);
  const { keys, tokens, sessions, events, isLoaded } = useSecurityLists();
  return (
    <>
      <PageHeader
        back={{ to: ROUTES.profile, label: MESSAGES.back }}
        title={MESSAGES.title}
        description={MESSAGES.description}
      />
      {isLoaded ? (
        <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
          <div className="grid min-w-0 grid-cols-1 gap-4">
            <KeysCard keys={keys} />
            <AuthenticatorCard />
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
    </>
  );
}
