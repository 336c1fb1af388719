import type { TokenAnswer } from './auth-api.ts';
import type { EffectDeps } from './effects.ts';
import { keepSession } from './keep-session.ts';
import { failed, isRefused, type RefreshOutcome } from './outcome.ts';

/**
 * Refreshes as the only tab, with the token that is stored now: the one we know may have been spent by
 * another tab while we waited. A token is given up only when the storage has no newer one.
 */
export function refreshSession(
  deps: EffectDeps,
  knownToken: string | undefined,
  signal: AbortSignal,
): Promise<RefreshOutcome> {
  return deps.lock(async () => {
    const token = deps.store.refreshToken() ?? knownToken ?? '';
    const first = await deps.api.token(token, signal);
    const newer = isGivenUp(first) ? newerToken(deps, token) : undefined;
    const answer = newer === undefined ? first : await deps.api.token(newer, signal);
    if (answer.ok) return keepSession(deps, answer.session, signal);
    if (isRefused(answer.error) && !signal.aborted) deps.store.clear();
    return failed(answer.error);
  }, signal);
}

function isGivenUp(answer: TokenAnswer): boolean {
  return !answer.ok && isRefused(answer.error);
}

function newerToken({ store }: EffectDeps, tried: string): string | undefined {
  const stored = store.refreshToken();
  return stored === tried ? undefined : stored;
}
