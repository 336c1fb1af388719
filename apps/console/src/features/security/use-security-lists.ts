import { useState } from 'react';
import { useAccount } from '../../backend/live-context.tsx';
import { useAnswer } from '../../backend/use-answer.ts';

/** Asks for all of them at once. They are shown together: one by one, each would push the others down. */
export function useSecurityLists() {
  const account = useAccount();
  const lists = {
    keys: useAnswer(account.listSecurityKeys),
    tokens: useAnswer(account.listTokens),
    sessions: useAnswer(account.listSessions),
    events: useAnswer(account.listSecurityEvents),
  };
  // A session does not tell whether the authenticator app is on; the server does.
  const user = useAnswer(account.currentUser);
  const isWaiting = [user, ...Object.values(lists)].some(({ state }) => state.kind === 'loading');
  const [haveCome, setHaveCome] = useState(false);
  // What was shown once stays, also while one of them is asked for again.
  if (!isWaiting && !haveCome) setHaveCome(true);
  return { ...lists, haveCome };
}
