import type { User } from '@longshore/contract';
import { buildUser } from './build-user.ts';

type State =
  | { kind: 'signed-out'; needsEmailVerification: boolean }
  | { kind: 'signed-in'; user: User; accessToken: string };

/** A fake of the client's `auth` with a signed-in user. Tests change its state directly. */
export function createFakeAuth() {
  const listeners = new Set<() => void>();
  let state: State = { kind: 'signed-in', user: buildUser(), accessToken: 'token-1' };
  let nextToken: string | undefined = 'token-2';

  function setState(next: State): void {
    state = next;
    for (const listener of [...listeners]) listener();
  }

  return {
    state: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    accessToken: async () => (state.kind === 'signed-in' ? state.accessToken : undefined),
    async refresh(): Promise<string | undefined> {
      if (state.kind !== 'signed-in' || nextToken === undefined) return undefined;
      setState({ ...state, accessToken: nextToken });
      return nextToken;
    },
    /** Access token of the next refresh; undefined makes it fail. */
    setNextToken(token: string | undefined) {
      nextToken = token;
    },
    signInAs: (user: User, accessToken: string) =>
      setState({ kind: 'signed-in', user, accessToken }),
    signOut: () => setState({ kind: 'signed-out', needsEmailVerification: false }),
  };
}
