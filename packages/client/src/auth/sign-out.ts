import { AUTH_PATHS } from '@longshore/contract';
import type { EffectDeps } from './effect-deps.ts';
import type { SignOutRequest } from './machine/auth-model.ts';
import { failed, type SignOutOutcome } from './machine/outcome.ts';
import type { TabMessage } from './tab-messages.ts';

/** Clears the session in all tabs first, then ends it on the server, so that signing out works offline. */
export async function signOut(
  { api, store, channel }: EffectDeps,
  { session, all }: SignOutRequest,
  signal: AbortSignal,
): Promise<SignOutOutcome> {
  const { refreshToken } = store.token() ?? session;
  store.clear();
  channel?.post({ type: 'signed-out' } satisfies TabMessage);
  const response = await api.post(AUTH_PATHS.signOut, {
    body: { refreshToken, all },
    signal,
    // Ending all sessions is authorised with the access token (spec-map 6.5).
    ...(all ? { accessToken: session.accessToken } : {}),
  });
  return response.ok ? { kind: 'signed-out' } : failed(response.error);
}
