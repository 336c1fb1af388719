import { useState } from 'react';
import { useServices } from '../../client/session-context.tsx';
import { useQuery } from '../../client/use-query.ts';

/** Asks for all of them at once. They are shown together: one by one, each would push the others down. */
export function useSecurityLists() {
  const { account } = useServices();
  const lists = {
    keys: useQuery(account.listSecurityKeys),
    tokens: useQuery(account.listPersonalAccessTokens),
    sessions: useQuery(account.listSessions),
    events: useQuery(account.listSecurityEvents),
  };
  // A session does not tell whether the authenticator app is on; the server does.
  const user = useQuery(account.currentUser);
  const isWaiting = [user, ...Object.values(lists)].some(({ state }) => state.kind === 'loading');
  const [haveCome, setHaveCome] = useState(false);
  // What was shown once stays, also while one of them is asked for again.
  if (!isWaiting && !haveCome) setHaveCome(true);
  return { ...lists, haveCome };
}
