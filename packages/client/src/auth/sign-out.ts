import { AUTH_PATHS } from '@longshore/contract';
import type { EffectDeps } from './effect-deps.ts';
import type { SignOutRequest } from './machine/auth-model.ts';
import { failed, type SignOutOutcome } from './machine/outcome.ts';
import type { TabMessage } from './tab-message.ts';

/** Forgets the session here and in all tabs first, then tells the server: leaving works offline too. */
export async function signOut(
  { api, store, channel }: EffectDeps,
  { session, all }: SignOutRequest,
  signal: AbortSignal,
): Promise<SignOutOutcome> {
  const { refreshToken } = store.token() ?? session;
  store.clear();
  channel?.post({ type: 'signed-out' } satisfies TabMessage);
  const answer = await api.post(AUTH_PATHS.signOut, {
    body: { refreshToken, all },
    signal,
    // Spec §6: ending all sessions is authorised with the access token.
    ...(all ? { accessToken: session.accessToken } : {}),
  });
  return answer.ok ? { kind: 'signed-out' } : failed(answer.error);
}
