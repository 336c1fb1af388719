import type { Session } from '@longshore/contract';
import type { EffectDeps } from './effect-deps.ts';
import { type HeldSession, holdSession, type SessionMarks } from './held-session.ts';
import type { Arrived } from './machine/outcome.ts';
import type { TabMessage } from './tab-message.ts';

/** Stores a session and hands it to the other tabs, unless the work that brought it was called off. */
export function keepSession(
  { clock, store, channel }: EffectDeps,
  session: Session,
  signal: AbortSignal,
  marks?: SessionMarks,
): Arrived {
  const held: HeldSession = holdSession(session, clock.now(), marks);
  if (!signal.aborted) {
    store.write(held);
    channel?.post({ type: 'session', session: held } satisfies TabMessage);
  }
  return { kind: 'session', session: held };
}
