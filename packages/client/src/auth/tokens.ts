import type { Clock } from '../ports.ts';
import type { Auth } from './auth.ts';
import { isExpired } from './held-session.ts';
import { type AuthActor, isRefreshing } from './machine/auth-actor.ts';
import { untilSnapshot } from './machine/until-snapshot.ts';

export type TokensDeps = { actor: AuthActor; clock: Clock; ready(): Promise<void> };

/**
 * Hands out access tokens. Who needs one waits for the refresh itself: that is sooner than to look every
 * 100 ms (spec §9), and nothing has to be stopped.
 */
export function createTokens(deps: TokensDeps): Pick<Auth, 'accessToken' | 'refresh'> {
  const { actor, clock, ready } = deps;

  function validToken(): string | undefined {
    const { session } = actor.getSnapshot().context;
    if (session === undefined || isExpired(session, clock.now())) return undefined;
    return session.accessToken;
  }

  async function refresh(): Promise<string | undefined> {
    actor.send({ type: 'REFRESH' });
    await untilSnapshot(actor, (snapshot) => !isRefreshing(snapshot));
    return validToken();
  }

  return {
    async accessToken() {
      await ready().catch(() => undefined);
      return validToken() ?? refresh();
    },
    refresh,
  };
}
