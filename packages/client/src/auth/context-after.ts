import type { AuthContext } from './auth-model.ts';
import type { HeldSession } from './held-session.ts';
import type { ImportOutcome, SignInOutcome, SignOutOutcome } from './outcome.ts';

/** What is remembered of an effect's outcome. */
export function contextAfter(
  outcome: ImportOutcome | SignInOutcome | SignOutOutcome,
  now: number,
): Partial<AuthContext> {
  const forgotten = { error: undefined, attempt: undefined, signOutRequest: undefined };
  switch (outcome.kind) {
    case 'session':
      return { ...forgotten, ...contextWith(outcome.session, now) };
    case 'failed':
      return { ...forgotten, error: outcome.error };
    case 'needs-mfa':
      return { ...forgotten, mfaTicket: outcome.ticket };
    case 'needs-email-verification':
    case 'none':
    case 'signed-out':
      return forgotten;
  }
}

export function contextWith(session: HeldSession, now: number): Partial<AuthContext> {
  return {
    session,
    refreshTimer: { startedAt: now, attempts: 0, lastAttemptAt: 0 },
    importTokenAttempts: 0,
    mfaTicket: undefined,
    error: undefined,
  };
}
