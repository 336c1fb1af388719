import { READINESS_TIMEOUT_MS } from '@longshore/contract';
import { withDeadline } from '../http/deadline.ts';
import type { Clock } from '../ports.ts';
import type { AuthActor, AuthSnapshot } from './machine/auth-actor.ts';
import { untilSnapshot } from './machine/auth-actor.ts';

/** Exact text (spec-map 4.1.40). */
export const NOT_READY = 'The state machine is not yet ready after 15 seconds.';

export async function untilReady(actor: AuthActor, clock: Clock): Promise<void> {
  if (isReady(actor.getSnapshot())) return;
  await withDeadline({ clock, timeoutMs: READINESS_TIMEOUT_MS }, (signal) =>
    Promise.race([
      untilSnapshot(actor, isReady),
      new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(new Error(NOT_READY))),
      ),
    ]),
  );
}

export function isReady(snapshot: AuthSnapshot): boolean {
  return !snapshot.matches('starting');
}
