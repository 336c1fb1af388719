import type { Context } from 'hono';
import { AuthProblem } from '../auth-problem.ts';
import type { AuthDeps } from '../deps.ts';
import { type CurrentUser, requireRegisteredUser } from '../require-registered-user.ts';
import type { SessionUser } from '../users.ts';
import { proofProblem } from './proof-rules.ts';

type ProofDeps = Pick<AuthDeps, 'accessTokens' | 'users' | 'settings' | 'clock'>;

/**
 * The registered user of the bearer token, for endpoints that change who can sign in. Throws unless the user signed in
 * or proved their identity in this session within the last ten minutes (decision 71).
 */
export async function requireFreshProof(context: Context, deps: ProofDeps): Promise<CurrentUser> {
  const current = await requireRegisteredUser(context, deps);
  assertFreshProof(current, deps.clock);
  return current;
}

export function assertFreshProof(current: SessionUser, clock: { now(): number }): void {
  const problem = proofProblemOf(current, clock);
  if (problem !== undefined) throw new AuthProblem(problem);
}

/** The registered user of a session in which an identity can be proved. A program's session never becomes one. */
export async function requireProvableSession(
  context: Context,
  deps: ProofDeps,
): Promise<CurrentUser> {
  const current = await requireRegisteredUser(context, deps);
  if (current.session.isFromPersonalAccessToken)
    throw new AuthProblem('forbidden-personal-access-token');
  return current;
}

export function proofProblemOf({ user, session }: SessionUser, clock: { now(): number }) {
  const hasTotp = user.active_mfa_type === 'totp';
  return proofProblem(session, { hasTotp, now: clock.now() });
}
