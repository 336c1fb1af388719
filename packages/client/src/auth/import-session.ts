import type { EffectDeps } from './effect-deps.ts';
import { failed, type ImportOutcome, isRetryable } from './machine/outcome.ts';
import { refreshSession } from './refresh-session.ts';
import { saveSession } from './save-session.ts';
import { readUrlParameters } from './url-parameters.ts';

/** Looks for a session in memory, in the URL and in the storage, in this order (spec-map 4.1.1). */
export async function importSession(deps: EffectDeps, signal: AbortSignal): Promise<ImportOutcome> {
  const { session, addressBar, store } = deps;
  await store.open();
  if (session !== undefined) return saveSession(deps, session, signal);

  const parameters = addressBar === undefined ? undefined : readUrlParameters(addressBar.href());
  if (parameters?.kind === 'failed' || parameters?.kind === 'needs-mfa') return parameters;
  const fromUrl =
    parameters?.kind === 'token'
      ? await importUrlToken(deps, parameters.refreshToken, signal)
      : undefined;
  if (fromUrl?.kind === 'session') return fromUrl;
  if (fromUrl?.kind === 'failed' && isRetryable(fromUrl.error)) return fromUrl;

  if (store.token() !== undefined) return refreshSession(deps, {}, signal);
  return fromUrl ?? { kind: 'none' };
}

async function importUrlToken(
  deps: EffectDeps,
  refreshToken: string,
  signal: AbortSignal,
): Promise<ImportOutcome> {
  const response = await deps.api.token(refreshToken, signal);
  if (!response.ok) return failed(response.error);
  return saveSession(deps, response.session, signal);
}
