import { readAddress, withoutSessionParameters } from './address-parameters.ts';
import type { EffectDeps } from './effect-deps.ts';
import { keepSession } from './keep-session.ts';
import { failed, type ImportOutcome, isWorthRetrying } from './machine/outcome.ts';
import { refreshSession } from './refresh-session.ts';

/** Looks for a session in memory, the address and the storage, in this order. Spec §4, starting. */
export async function importSession(deps: EffectDeps, signal: AbortSignal): Promise<ImportOutcome> {
  const { session, address, store } = deps;
  await store.open();
  if (session !== undefined) return keepSession(deps, session, signal);

  const found = address === undefined ? undefined : readAddress(address.href());
  if (found?.kind === 'failed') return found;
  const fromAddress =
    found?.kind === 'token' ? await redeem(deps, found.refreshToken, signal) : undefined;
  if (fromAddress?.kind === 'session') return fromAddress;
  if (fromAddress?.kind === 'failed' && isWorthRetrying(fromAddress.error)) return fromAddress;

  if (store.token() !== undefined) return refreshSession(deps, {}, signal);
  return fromAddress ?? { kind: 'none' };
}

async function redeem(
  deps: EffectDeps,
  refreshToken: string,
  signal: AbortSignal,
): Promise<ImportOutcome> {
  const answer = await deps.api.token(refreshToken, signal);
  if (!answer.ok) return failed(answer.error);
  deps.address?.replace(withoutSessionParameters(deps.address.href()));
  return keepSession(deps, answer.session, signal);
}
