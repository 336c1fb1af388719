import { clientError } from '@longshore/contract';
import type { SignOutResult } from './auth.ts';
import type { AuthActor } from './machine/auth-actor.ts';
import { untilSnapshot } from './machine/until-snapshot.ts';

/** Makes the machine leave, and answers how it ended. */
export async function leave(actor: AuthActor, all: boolean): Promise<SignOutResult> {
  if (!actor.getSnapshot().matches('signedIn')) {
    return { ok: false, error: clientError('unauthenticated-user') };
  }
  actor.send({ type: 'SIGN_OUT', all });
  const ended = await untilSnapshot(actor, (it) => !it.matches({ signedOut: 'signingOut' }));
  const { error } = ended.context;
  return error === undefined ? { ok: true } : { ok: false, error };
}
