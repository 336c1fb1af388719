import { type ClientErrorCode, clientError } from '@longshore/contract';
import type { Clock } from '../ports.ts';
import type { Auth, RefreshResult } from './auth.ts';
import { isExpired } from './client-session.ts';
import { type AuthActor, isRefreshing, untilSnapshot } from './machine/auth-actor.ts';
import { isTokenRejected } from './machine/outcome.ts';

export type TokensDeps = { actor: AuthActor; clock: Clock; ready(): Promise<void> };
type Tokens = Pick<Auth, 'accessToken' | 'refresh' | 'refreshSession'>;

/**
 * Provides access tokens. Callers wait for the refresh itself instead of polling every 100 ms (spec-map 9.3.3): it is
 * faster, and there is no timer to stop.
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

  async function refreshSession(refreshToken?: string): Promise<RefreshResult> {
    await ready().catch(() => undefined);
    const before = actor.getSnapshot();
    if (refreshToken === undefined && !before.matches('signedIn'))
      return failed('no-refresh-token');
    if (refreshToken !== undefined && isRefreshing(before)) {
      return failed('refresher-already-running');
    }
    actor.send(
      refreshToken === undefined ? { type: 'REFRESH' } : { type: 'TRY_TOKEN', refreshToken },
    );
    if (!isRefreshing(actor.getSnapshot())) return failed('refresher-already-running');
    const ended = await untilSnapshot(actor, (snapshot) => !isRefreshing(snapshot));
    if (isRefreshing(ended)) return failed('network');
    const { refreshError: error } = ended.context;
    if (error === undefined) return { ok: true };
    return isTokenRejected(error) ? failed('invalid-refresh-token') : { ok: false, error };
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
