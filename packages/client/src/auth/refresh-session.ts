import { type AuthError, clientError, type Session } from '@longshore/contract';
import type { EffectDeps } from './effect-deps.ts';
import { keepSession, type SessionMarks } from './keep-session.ts';
import { failed, isRefused, type RefreshOutcome } from './machine/outcome.ts';
import type { StoredToken } from './session-store.ts';

/** Tokens to try: the one another tab gave, the one that is stored now, the one this tab knows. */
export type KnownTokens = { given?: string | undefined; known?: StoredToken | undefined };

/**
 * Refreshes as the only tab, with the token that is stored now: the one we know may have been spent by
 * another tab while we waited. The session is given up only when every token is refused, so that a wrong
 * token from another tab signs nobody out.
 */
export function refreshSession(
  deps: EffectDeps,
  tokens: KnownTokens,
  signal: AbortSignal,
): Promise<RefreshOutcome> {
  return deps.lock(async () => {
    const answer = await firstAccepted(deps, tokens, signal);
    if (answer.ok) return keepSession(deps, answer.session, signal, marksOf(answer.of, deps));
    if (isRefused(answer.error) && !signal.aborted) deps.store.clear();
    return failed(answer.error);
  }, signal);
}

type TriedToken = StoredToken & { isStored: boolean };
type Answer = { ok: true; session: Session; of: TriedToken } | { ok: false; error: AuthError };

/** A token that is no longer the stored one was replaced, or signed out, by another tab meanwhile. */
function marksOf(token: TriedToken, { store }: EffectDeps): SessionMarks {
  const { isPersonalAccessToken, isStored, refreshToken } = token;
  const isOvertaken = isStored && store.token()?.refreshToken !== refreshToken;
  return { isPersonalAccessToken, isOvertaken };
}

async function firstAccepted(
  { api, store }: EffectDeps,
  { given, known }: KnownTokens,
  signal: AbortSignal,
): Promise<Answer> {
  const tried = new Set<string>();
  const offered = given ? { refreshToken: given, isPersonalAccessToken: false } : undefined;
  const next = () =>
    [offered, store.token() ?? known].find((it) => it && !tried.has(it.refreshToken));
  let answer: Answer = { ok: false, error: clientError('no-refresh-token') };
  // Looked up again each time: without a lock another tab may have stored a newer one meanwhile.
  for (let token = next(); token !== undefined; token = next()) {
    const isStored = store.token()?.refreshToken === token.refreshToken;
    const response = await api.token(token.refreshToken, signal);
    answer = response.ok ? { ...response, of: { ...token, isStored } } : response;
    tried.add(token.refreshToken);
    if (answer.ok || !isRefused(answer.error)) break;
  }
  return answer;
}
