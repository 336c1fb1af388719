import { clientError } from '@longshore/contract';
import type { TokenAnswer } from './auth-api.ts';
import type { EffectDeps } from './effect-deps.ts';
import { keepSession } from './keep-session.ts';
import { failed, isRefused, type RefreshOutcome } from './machine/outcome.ts';

/** Tokens to try: the one another tab gave, the one that is stored now, the one this tab knows. */
export type KnownTokens = { given?: string | undefined; known?: string | undefined };

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
    if (answer.ok) return keepSession(deps, answer.session, signal);
    if (isRefused(answer.error) && !signal.aborted) deps.store.clear();
    return failed(answer.error);
  }, signal);
}

async function firstAccepted(
  { api, store }: EffectDeps,
  { given, known }: KnownTokens,
  signal: AbortSignal,
): Promise<TokenAnswer> {
  const tried = new Set<string>();
  const next = () => [given, store.refreshToken() ?? known].find((it) => it && !tried.has(it));
  let answer: TokenAnswer = { ok: false, error: clientError('no-refresh-token') };
  // Looked up again each time: without a lock another tab may have stored a newer one meanwhile.
  for (let token = next(); token !== undefined; token = next()) {
    answer = await api.token(token, signal);
    tried.add(token);
    if (answer.ok || !isRefused(answer.error)) break;
  }
  return answer;
}
