import { type AuthError, clientError, type Session } from '@longshore/contract';
import type { StoredToken } from '../storage/session-store.ts';
import type { EffectDeps } from './effect-deps.ts';
import { failed, isTokenRejected, type RefreshOutcome } from './machine/outcome.ts';
import { type SaveOptions, saveSession } from './save-session.ts';

/** Tokens to try besides the stored one: `offered` comes from another tab, `known` is in the memory of this tab. */
export type KnownTokens = { offered?: string | undefined; known?: StoredToken | undefined };

/**
 * Refreshes under the tab lock with the token that is stored now: another tab may have used the known one while this tab
 * waited. The session is cleared only if the server rejects every token, so that a wrong token from another tab does not
 * sign the user out.
 */
export function refreshSession(
  deps: EffectDeps,
  tokens: KnownTokens,
  signal: AbortSignal,
): Promise<RefreshOutcome> {
  return deps.lock(async () => {
    const result = await tryTokens(deps, tokens, signal);
    if (result.ok) {
      return saveSession(deps, result.session, signal, saveOptions(result.token, deps));
    }
    if (isTokenRejected(result.error) && !signal.aborted) deps.store.clear();
    return failed(result.error);
  }, signal);
}

type TriedToken = StoredToken & { isStored: boolean };
type TryResult =
  | { ok: true; session: Session; token: TriedToken }
  | { ok: false; error: AuthError };

/** If the token is no longer the stored one, another tab has replaced it or signed out. */
function saveOptions(token: TriedToken, { store }: EffectDeps): SaveOptions {
  const { isPersonalAccessToken, isStored, refreshToken } = token;
  const isSuperseded = isStored && store.token()?.refreshToken !== refreshToken;
  return { isPersonalAccessToken, isSuperseded };
}

/** Tries tokens until the server accepts one, or fails for another reason than a rejected token. */
async function tryTokens(
  { api, store }: EffectDeps,
  { offered, known }: KnownTokens,
  signal: AbortSignal,
): Promise<TryResult> {
  const tried = new Set<string>();
  const offeredToken = offered
    ? { refreshToken: offered, isPersonalAccessToken: false }
    : undefined;
  const next = () =>
    [offeredToken, store.token() ?? known].find((it) => it && !tried.has(it.refreshToken));
  let result: TryResult = { ok: false, error: clientError('no-refresh-token') };
  // Read each time: without a lock another tab may have stored a newer token.
  for (let token = next(); token !== undefined; token = next()) {
    const isStored = store.token()?.refreshToken === token.refreshToken;
    const response = await api.token(token.refreshToken, signal);
    result = response.ok ? { ...response, token: { ...token, isStored } } : response;
    tried.add(token.refreshToken);
    if (result.ok || !isTokenRejected(result.error)) break;
  }
  return result;
}
