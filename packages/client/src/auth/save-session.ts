import type { Session } from '@longshore/contract';
import { toClientSession } from './client-session.ts';
import type { EffectDeps } from './effect-deps.ts';
import type { SessionOutcome } from './machine/outcome.ts';
import type { TabMessage } from './tab-messages.ts';

export type SaveOptions = {
  isPersonalAccessToken?: boolean;
  /** Another tab has stored a newer token, which must not be overwritten. */
  isSuperseded?: boolean;
};

/** Stores a session and sends it to the other tabs, unless the request that returned it was aborted. */
export function saveSession(
  { clock, store, channel }: EffectDeps,
  session: Session,
  signal: AbortSignal,
  { isPersonalAccessToken = false, isSuperseded = false }: SaveOptions = {},
): SessionOutcome {
  const clientSession = toClientSession(session, clock.now(), isPersonalAccessToken);
  if (!signal.aborted && !isSuperseded) {
    store.write(clientSession);
    channel?.post({ type: 'session', session: clientSession } satisfies TabMessage);
  }
  return { kind: 'session', session: clientSession };
}
