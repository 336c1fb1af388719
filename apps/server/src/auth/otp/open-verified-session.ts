import type { Context } from 'hono';
import type { AuthDeps } from '../deps.ts';
import { resetUnverifiedUser } from '../reset-unverified-user.ts';
import { signInResponse } from '../sessions.ts';
import { verifiedUser } from '../sign-in-effects.ts';
import { assertCanSignIn, mustVerifyEmail } from '../sign-in-problem.ts';
import type { UserRow } from '../users.ts';

type CodeSignIn = { user: UserRow; way: 'email-code' | 'sms-code' };

/** Opens a session for a user who has just verified an e-mail address or a phone number with a code. */
export async function openVerifiedSession(
  context: Context,
  deps: AuthDeps,
  { user, way }: CodeSignIn,
): Promise<Response> {
  const effects = { verified: way === 'email-code' ? 'email' : 'phone-number' } as const;
  assertCanSignIn(verifiedUser(user, effects), deps.settings);
  // The owner of the address could not sign in before, so another person may have set the credentials.
  if (way === 'email-code' && mustVerifyEmail(user, deps.settings))
    await resetUnverifiedUser(deps.db, user);
  const event = { kind: 'signed-in' } as const;
  return signInResponse(context, await deps.sessions.open(context, { user, way, effects, event }));
}
