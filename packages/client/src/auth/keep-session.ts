import type { Session } from '@longshore/contract';
import type { EffectDeps } from './effect-deps.ts';
import { type HeldSession, holdSession } from './held-session.ts';
import type { Arrived } from './machine/outcome.ts';
import type { TabMessage } from './tab-message.ts';

export type SessionMarks = {
  isPersonalAccessToken?: boolean;
  /** Another tab has stored a newer token meanwhile, and that one stays. */
  isOvertaken?: boolean;
};

/** Stores a session and hands it to the other tabs, unless the work that brought it was called off. */
export function keepSession(
  { clock, store, channel }: EffectDeps,
  session: Session,
  signal: AbortSignal,
  { isPersonalAccessToken = false, isOvertaken = false }: SessionMarks = {},
): Arrived {
  const held: HeldSession = holdSession(session, clock.now(), isPersonalAccessToken);
  if (!signal.aborted && !isOvertaken) {
    store.write(held);
    channel?.post({ type: 'session', session: held } satisfies TabMessage);
  }
  return { kind: 'session', session: held };
}
