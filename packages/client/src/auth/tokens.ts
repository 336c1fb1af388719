import { type ClientErrorCode, clientError } from '@longshore/contract';
import type { Clock } from '../ports.ts';
import type { Auth, RefreshResult } from './auth.ts';
import { isExpired } from './held-session.ts';
import { type AuthActor, isRefreshing } from './machine/auth-actor.ts';
import { isRefused } from './machine/outcome.ts';
import { untilSnapshot } from './machine/until-snapshot.ts';

export type TokensDeps = { actor: AuthActor; clock: Clock; ready(): Promise<void> };
type Tokens = Pick<Auth, 'accessToken' | 'refresh' | 'refreshSession'>;

/**
 * Hands out access tokens. Who needs one waits for the refresh itself: that is sooner than to look every
 * 100 ms (spec §9), and nothing has to be stopped.
 */
export function createTokens({ actor, clock, ready }: TokensDeps): Tokens {
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

  async function refreshSession(given?: string): Promise<RefreshResult> {
    await ready().catch(() => undefined);
    const before = actor.getSnapshot();
    if (given === undefined && !before.matches('signedIn')) return failed('no-refresh-token');
    if (given !== undefined && isRefreshing(before)) return failed('refresher-already-running');
    actor.send(
      given === undefined ? { type: 'REFRESH' } : { type: 'TRY_TOKEN', refreshToken: given },
    );
    if (!isRefreshing(actor.getSnapshot())) return failed('refresher-already-running');
    const ended = await untilSnapshot(actor, (snapshot) => !isRefreshing(snapshot));
    if (isRefreshing(ended)) return failed('network');
    const { refreshError: error } = ended.context;
    if (error === undefined) return { ok: true };
    return isRefused(error) ? failed('invalid-refresh-token') : { ok: false, error };
  }

  return {
    async accessToken() {
      await ready().catch(() => undefined);
      return validToken() ?? refresh();
    },
    refresh,
    refreshSession,
  };
}

function failed(code: ClientErrorCode): RefreshResult {
  return { ok: false, error: clientError(code) };
}
