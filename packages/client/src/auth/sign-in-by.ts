import { clientError } from '@longshore/contract';
import type { SignInResult } from './auth.ts';
import { type AuthActor, type AuthSnapshot, isRefreshing } from './machine/auth-actor.ts';
import { untilSnapshot } from './machine/until-snapshot.ts';
import { isReady, NOT_READY } from './readiness.ts';
import { isCodeNeeded } from './registration.ts';
import type { SignInAttempt } from './sign-in-attempt.ts';

/** Makes the machine attempt it, once it can, and answers how it ended. Spec §4. */
export async function signInBy(
  actor: AuthActor,
  ready: () => Promise<void>,
  attempt: SignInAttempt,
): Promise<SignInResult> {
  await ready().catch(() => undefined);
  if (!isReady(actor.getSnapshot())) {
    return { kind: 'failed', error: { status: 1, error: 'not-ready', message: NOT_READY } };
  }
  // A refresh in flight ends first: its answer may have replaced the stored token already.
  while (isBusy(actor.getSnapshot())) await untilSnapshot(actor, (it) => !isBusy(it));
  actor.send({ type: 'SIGN_IN', attempt });
  if (actor.getSnapshot().context.attempt === undefined) {
    return { kind: 'failed', error: clientError('already-signed-in') };
  }
  return resultOf(await untilSnapshot(actor, ({ context }) => context.attempt === undefined));
}

function isBusy(snapshot: AuthSnapshot): boolean {
  return snapshot.status === 'active' && isRefreshing(snapshot);
}

function resultOf(snapshot: AuthSnapshot): SignInResult {
  const { error, registrationError } = snapshot.context;
  if (snapshot.matches('signedIn') && registrationError === undefined) return { kind: 'signed-in' };
  if (snapshot.matches({ signedOut: 'needsEmailVerification' })) {
    return { kind: 'needs-email-verification', ...(error === undefined ? {} : { error }) };
  }
  if (isCodeNeeded(snapshot)) return { kind: 'needs-otp' };
  if (snapshot.matches({ signedOut: 'needsMfa' })) return { kind: 'needs-mfa' };
  return { kind: 'failed', error: registrationError ?? error ?? clientError('network') };
}
