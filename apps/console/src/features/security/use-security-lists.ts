import { useState } from 'react';
import { useServices } from '../../client/session-context.tsx';
import { useQuery } from '../../client/use-query.ts';

/** Loads all lists in parallel. They are shown together, because otherwise each one would move the others. */
export function useSecurityLists() {
  const { account } = useServices();
  const lists = {
    keys: useQuery(account.listSecurityKeys),
    tokens: useQuery(account.listPersonalAccessTokens),
    sessions: useQuery(account.listSessions),
    events: useQuery(account.listSecurityEvents),
  };
  // The session does not contain whether the authenticator app is on, so the user is loaded too.
  const user = useQuery(account.currentUser);
  const isWaiting = [user, ...Object.values(lists)].some(({ state }) => state.kind === 'loading');
  const [isLoaded, setLoaded] = useState(false);
  // Lists that were shown once stay, also while one of them is reloaded.
  if (!isWaiting && !isLoaded) setLoaded(true);
  return { ...lists, isLoaded };
}
