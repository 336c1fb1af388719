import type { Context } from 'hono';
import { sql } from 'kysely';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import { checkBearer } from '../check-bearer.ts';
import type { AuthDeps } from '../deps.ts';
import { sendLink } from '../mail-links/mail-link.ts';
import { sendCodeBySms } from '../otp/send-code-by-sms.ts';
import { requireAllowedRedirect } from '../redirect-to.ts';
import { signInResponse } from '../sessions.ts';
import { needsSecondFactor } from '../sign-in-ways.ts';
import { type SessionUser, type UserRow, undefinedIfTaken } from '../users.ts';
import { DeanonymizeBody, type Registration, registrationOf } from './deanonymize-body.ts';

/**
 * POST /user/deanonymize. A user who must verify an address or phone number is signed out until then. The message is
 * sent before anything is stored, so that the user can try again after a failure.
 */
export async function deanonymize(context: Context, deps: AuthDeps): Promise<Response> {
  const { user, session } = await requireAnonymousUser(context, deps);
  const body = await jsonBody(context, DeanonymizeBody);
  const redirectTo = requireAllowedRedirect(body.options, deps.settings);
  const registration = await registrationOf(body, deps);
  const admission = await deps.signUpPolicy.check(deps.db, { email: registration.email });
  if (await isTaken(registration, deps)) throw new AuthProblem('user-already-exists');
  const { requireVerifiedEmail } = deps.settings;
  const mustVerify = body.by !== 'password' || requireVerifiedEmail || admission.mustVerifyEmail;
  const { codeChallenge } = body;
  if (mustVerify) await sendVerification(deps, { user, registration, redirectTo, codeChallenge });
  const registered = await register(deps, user.id, registration);
  if (registered === undefined) {
    await deps.tickets.revokeAll(user.id);
    throw new AuthProblem('user-already-exists');
  }
  const needsCode = !mustVerify && needsSecondFactor('deanonymize', registered);
  if (mustVerify || needsCode) await deps.refreshTokens.revokeAll(user.id);
  else {
    const provedAt = new Date(deps.clock.now());
    await deps.refreshTokens.recordProof(session.id, { provedBy: 'sign-up', provedAt });
  }
  await deps.audit(context, { kind: 'deanonymized', userId: user.id, details: { by: body.by } });
  if (!needsCode) return context.json('OK');
  const signIn = { user: registered, way: 'deanonymize' } as const;
  return signInResponse(context, await deps.sessions.open(context, signIn));
}

async function requireAnonymousUser(
  context: Context,
  { accessTokens, users }: AuthDeps,
): Promise<SessionUser> {
  const caller = await checkBearer(context.req.header('authorization'), accessTokens);
  if (caller.kind !== 'identified') throw new AuthProblem('unauthorized');
  const current = await users.findBySession(caller.identified);
  if (current === undefined || current.user.disabled) throw new AuthProblem('unauthorized');
  if (!current.user.is_anonymous) throw new AuthProblem('user-not-anonymous');
  return current;
}

async function isTaken(
  { email, phoneNumber }: Registration,
  { users }: AuthDeps,
): Promise<boolean> {
  if (email !== null) return (await users.findByEmail(email)) !== undefined;
  return (await users.findByPhoneNumber(phoneNumber ?? '')) !== undefined;
}

type Verification = {
  user: UserRow;
  registration: Registration;
  redirectTo: string;
  codeChallenge: string | undefined;
};

async function sendVerification(
  deps: AuthDeps,
  { user, registration, redirectTo, codeChallenge }: Verification,
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

/** Returns undefined if the address or phone number is taken, or if the user is no longer anonymous. */
async function register(
  { db, signUpPolicy }: Pick<AuthDeps, 'db' | 'signUpPolicy'>,
  userId: string,
  registration: Registration,
): Promise<UserRow | undefined> {
  const { email, phoneNumber, passwordHash, displayName, locale, metadata } = registration;
  return await signUpPolicy.createUser(db, { email }, (tx, admission) =>
    tx
      .updateTable('auth.users')
      .set({
        must_verify_email: admission.mustVerifyEmail,
        email,
        phone_number: phoneNumber,
        password_hash: passwordHash,
        display_name: displayName,
        locale,
        metadata: metadata === null ? null : sql`${JSON.stringify(metadata)}::jsonb`,
        roles: registration.roles,
        default_role: registration.defaultRole,
        is_anonymous: false,
        // The account exists from now on. It must not become the first account of the installation.
        created_at: sql`now()`,
      })
      .where('id', '=', userId)
      .where('is_anonymous', '=', true)
      .returningAll()
      .executeTakeFirst()
      .catch(undefinedIfTaken),
  );
}
