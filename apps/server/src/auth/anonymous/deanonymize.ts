import type { Context } from 'hono';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import { checkBearer } from '../check-bearer.ts';
import type { AuthDeps } from '../deps.ts';
import { sendLink } from '../mail-links/send-link.ts';
import { sendCodeBySms } from '../otp/send-code-by-sms.ts';
import { requireAllowedRedirect } from '../redirect-to.ts';
import type { UserRow } from '../users.ts';
import { DeanonymizeBody } from './deanonymize-body.ts';
import { type Registration, registerAnonymous } from './register-anonymous.ts';
import { registrationOf } from './registration-of.ts';

/**
 * POST /user/deanonymize. Whoever has an address to prove is signed out until they did. Wire §3.4.
 * The message leaves before anything is written, so that after a failure the user can try again.
 */
export async function deanonymize(context: Context, deps: AuthDeps): Promise<Response> {
  const user = await anonymousUser(context, deps);
  const body = await jsonBody(context, DeanonymizeBody);
  await deps.signUpPolicy.check(deps.db);
  const redirectTo = requireAllowedRedirect(body.options, deps.settings);
  const registration = await registrationOf(body, deps);
  if (await isTaken(registration, deps)) throw new AuthProblem('user-already-exists');
  const mustProve = body.by !== 'password' || deps.settings.requireVerifiedEmail;
  const { codeChallenge } = body;
  if (mustProve) await sendProof(deps, { user, registration, redirectTo, codeChallenge });
  if ((await registerAnonymous(deps, user.id, registration)) === undefined) {
    await deps.tickets.revokeAll(user.id);
    throw new AuthProblem('user-already-exists');
  }
  if (mustProve) await deps.refreshTokens.revokeAll(user.id);
  await deps.audit(context, { kind: 'deanonymized', userId: user.id, details: { by: body.by } });
  return context.json('OK');
}

async function anonymousUser(
  context: Context,
  { accessTokens, users }: AuthDeps,
): Promise<UserRow> {
  const caller = await checkBearer(context.req.header('authorization'), accessTokens);
  if (caller.kind !== 'identified') throw new AuthProblem('unauthorized');
  const user = await users.findById(caller.identified.userId);
  if (user === undefined || user.disabled) throw new AuthProblem('unauthorized');
  if (!user.is_anonymous) throw new AuthProblem('user-not-anonymous');
  return user;
}

async function isTaken(
  { email, phoneNumber }: Registration,
  { users }: AuthDeps,
): Promise<boolean> {
  if (email !== null) return (await users.findByEmail(email)) !== undefined;
  return (await users.findByPhoneNumber(phoneNumber ?? '')) !== undefined;
}

type Proof = {
  user: UserRow;
  registration: Registration;
  redirectTo: string;
  codeChallenge: string | undefined;
};

async function sendProof(
  deps: AuthDeps,
  { user, registration, redirectTo, codeChallenge }: Proof,
): Promise<void> {
  const { email, phoneNumber, passwordHash, displayName, locale } = registration;
  if (email === null)
    return await sendCodeBySms(deps, { userId: user.id, phoneNumber: phoneNumber ?? '' });
  await sendLink(
    {
      user: { ...user, display_name: displayName, locale },
      to: email,
      purpose: passwordHash === null ? 'passwordlessEmail' : 'verifyEmail',
      redirectTo,
      codeChallenge,
    },
    deps,
  );
}
