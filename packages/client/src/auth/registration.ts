import type { AuthError } from '@longshore/contract';
import type { AuthSnapshot } from './machine/auth-actor.ts';

/** How far the registration of the user has progressed (spec-map 4.1.25). */
export type Registration =
  | { kind: 'complete' }
  | { kind: 'incomplete'; step: 'no-errors' | 'needs-email-verification' | 'needs-otp' }
  | { kind: 'incomplete'; step: 'failed'; error: AuthError };

/** Complete after sign-in; an anonymous user stays incomplete. */
export function registrationOf(snapshot: AuthSnapshot): Registration {
  const { session, registrationError } = snapshot.context;
  if (session !== undefined && !session.user.isAnonymous) return { kind: 'complete' };
  if (registrationError !== undefined) {
    return { kind: 'incomplete', step: 'failed', error: registrationError };
  }
  return { kind: 'incomplete', step: stepOf(snapshot) };
}

function stepOf(snapshot: AuthSnapshot) {
  if (snapshot.matches({ signedOut: 'needsEmailVerification' })) return 'needs-email-verification';
  return needsOtp(snapshot) ? 'needs-otp' : 'no-errors';
}

export function needsOtp(snapshot: AuthSnapshot): boolean {
  return (
    snapshot.matches({ signedOut: 'needsSmsOtp' }) ||
    snapshot.matches({ signedOut: 'needsEmailOtp' })
  );
}

export function isSameRegistration(one: Registration, other: Registration): boolean {
  if (one.kind === 'complete' || other.kind === 'complete') return one.kind === other.kind;
  if (one.step === 'failed' && other.step === 'failed') return one.error === other.error;
  return one.step === other.step;
}
