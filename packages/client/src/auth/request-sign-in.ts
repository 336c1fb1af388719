import { clientError } from '@longshore/contract';
import type { SignInResult } from './auth.ts';
import {
  type AuthActor,
  type AuthSnapshot,
  isRefreshing,
  untilSnapshot,
} from './machine/auth-actor.ts';
import { isReady, NOT_READY } from './readiness.ts';
import { needsOtp } from './registration.ts';
import type { SignInAttempt } from './sign-in-attempt.ts';

/** Sends a sign-in attempt to the machine as soon as it is ready, and returns the result. */
export async function requestSignIn(
  actor: AuthActor,
  ready: () => Promise<void>,
  attempt: SignInAttempt,
): Promise<SignInResult> {
  await ready().catch(() => undefined);
  if (!isReady(actor.getSnapshot())) {
    return { kind: 'failed', error: { status: 1, error: 'not-ready', message: NOT_READY } };
  }
  // A running refresh must finish first: it may already have replaced the stored token.
  while (isActiveAndRefreshing(actor.getSnapshot()))
    await untilSnapshot(actor, (it) => !isActiveAndRefreshing(it));
  actor.send({ type: 'SIGN_IN', attempt });
  if (actor.getSnapshot().context.attempt === undefined) {
    return { kind: 'failed', error: clientError('already-signed-in') };
  }
  return resultOf(await untilSnapshot(actor, ({ context }) => context.attempt === undefined));
}

function isActiveAndRefreshing(snapshot: AuthSnapshot): boolean {
  return snapshot.status === 'active' && isRefreshing(snapshot);
}

function resultOf(snapshot: AuthSnapshot): SignInResult {
  const { error, registrationError } = snapshot.context;
  if (snapshot.matches('signedIn') && registrationError === undefined) return { kind: 'signed-in' };
  if (snapshot.matches({ signedOut: 'needsEmailVerification' })) {
    return { kind: 'needs-email-verification', ...(error === undefined ? {} : { error }) };
  }
  if (needsOtp(snapshot)) return { kind: 'needs-otp' };
  if (snapshot.matches({ signedOut: 'needsMfa' })) return { kind: 'needs-mfa' };
  return { kind: 'failed', error: registrationError ?? error ?? clientError('network') };
}
