import type { AuthError } from '@longshore/contract';
import type { HeldSession } from '../held-session.ts';

export type Failed = { kind: 'failed'; error: AuthError };
export type Arrived = { kind: 'session'; session: HeldSession };

export type ImportOutcome = Arrived | Failed | { kind: 'none' };
export type RefreshOutcome = Arrived | Failed;
export type SignOutOutcome = { kind: 'signed-out' } | Failed;
export type SignInOutcome =
  | Arrived
  | Failed
  /** With the error of spec §8 where a sign-in was refused for it. */
  | { kind: 'needs-email-verification'; error?: AuthError }
  | { kind: 'needs-sms-otp' }
  | { kind: 'needs-email-otp' }
  | { kind: 'needs-mfa'; ticket: string };

export function failed(error: AuthError): Failed {
  return { kind: 'failed', error };
}

/** A throw is a fault of ours and becomes status 1, so that no state waits for ever. Spec §8. */
export async function withoutThrowing<Outcome>(
  effect: () => Promise<Outcome>,
): Promise<Outcome | Failed> {
  try {
    return await effect();
  } catch (cause) {
    const { name, message } = cause instanceof Error ? cause : new Error(String(cause));
    return failed({ status: 1, error: name, message });
  }
}

/** Spec §4, starting: network errors and status 500 or above are worth another try. */
export function isWorthRetrying({ status }: AuthError): boolean {
  return status === 0 || status >= 500;
}

/** The server knows this session no more. */
export function isRefused({ status }: AuthError): boolean {
  return status === 401;
}
