import { randomUUID } from 'node:crypto';
import { isStorable } from '@longshore/contract';
import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import { codeChallengeField } from '../code-exchange/code-challenge.ts';
import { sendLink } from '../mail-links/mail-link.ts';
import { requireAllowedRedirect } from '../redirect-to.ts';
import { sendOrRollBackSignUp } from '../send-or-roll-back-sign-up.ts';
import { signInResponse } from '../sessions.ts';
import { emailField } from '../sign-in-fields.ts';
import { mustVerifyEmail } from '../sign-in-problem.ts';
import { signUpFields, signUpOptions } from '../sign-up-options.ts';
import type { NewUser, UserRow } from '../users.ts';
import { nicknameField, registrationField } from './credential-fields.ts';
import type { WebauthnDeps } from './deps.ts';
import { creationOptions } from './options.ts';
import { createSecurityKeys, type NewSecurityKey } from './security-keys.ts';
import { verifyRegistration } from './verify-registration.ts';

const StartBody = z.object({ email: emailField, options: signUpOptions });

/** POST /signup/webauthn. The user is created only after the security key has signed the challenge. */
export async function signUpWebauthn(
  context: Context,
  { db, users, signUpPolicy, challenges, relyingParty, settings }: WebauthnDeps,
): Promise<Response> {
  const { email, options } = await jsonBody(context, StartBody);
  await signUpPolicy.check(db, { email });
  const fields = signUpFields(options, email);
  requireAllowedRedirect(options, settings);
  if ((await users.findByEmail(email)) !== undefined) throw new AuthProblem('user-already-exists');

  const id = randomUUID();
  const details = { id, email, options: options ?? {} };
  if (!isStorable(details)) throw new AuthProblem('invalid-request');
  const challenge = await challenges.issue({ purpose: 'webauthn-sign-up', details });
  const user = { id, name: email, displayName: fields.displayName };
  return context.json(creationOptions({ relyingParty, challenge, user, credentialIds: [] }));
}

/** nhost-js sends the nickname inside or beside the options, depending on its version. */
const VerifyBody = z.object({
  credential: registrationField,
  nickname: nicknameField,
  codeChallenge: codeChallengeField,
  options: signUpOptions.and(z.object({ nickname: nicknameField })).nullish(),
});

/** The `details` that `signUpWebauthn` stored with the challenge. */
const ChallengeDetails = z.object({ id: z.guid(), email: z.string(), options: signUpOptions });

/**
 * POST /signup/webauthn/verify. Creates the user and the key in one transaction. If e-mail verification is
 * required, the response contains no session.
 */
export async function signUpWebauthnVerify(
  context: Context,
  deps: WebauthnDeps,
): Promise<Response> {
  const { credential, nickname, options, codeChallenge } = await jsonBody(context, VerifyBody);
  const { key, redeemed } = await verifyRegistration(credential, 'webauthn-sign-up', deps);
  const { id, email, options: startOptions } = ChallengeDetails.parse(redeemed.details);
  const merged = { ...startOptions, ...withoutNulls(options) };
  const redirectTo = requireAllowedRedirect(merged, deps.settings);
  const fields = signUpFields(merged, email);

  const user = await insertWithKey(deps, {
    user: { id, email, passwordHash: null, ...fields },
    key,
    nickname: nickname ?? options?.nickname,
  });
  await deps.audit(context, { kind: 'signed-up', userId: user.id });
  if (!mustVerifyEmail(user, deps.settings))
    return signInResponse(context, await deps.sessions.open(context, { user, way: 'sign-up' }));
  const link = { user, to: email, purpose: 'verifyEmail', redirectTo, codeChallenge } as const;
  await sendOrRollBackSignUp(deps.db, { user, isNew: true }, () => sendLink(link, deps));
  return context.json({});
}

function withoutNulls<T extends object>(options: T | null | undefined): Partial<T> {
  const entries = Object.entries(options ?? {});
  return Object.fromEntries(entries.filter(([, value]) => value != null)) as Partial<T>;
}

type UserWithKey = { user: NewUser; key: NewSecurityKey; nickname: string | undefined };

async function insertWithKey(
  { db, users }: WebauthnDeps,
  { user, key, nickname }: UserWithKey,
): Promise<UserRow> {
  return await db.transaction().execute(async (transaction) => {
    const inserted = await users.within(transaction).insert(user);
    if (inserted === undefined) throw new AuthProblem('user-already-exists');
    const added = await createSecurityKeys(transaction).insert(inserted.id, key, nickname);
    if (added === undefined) throw new AuthProblem('invalid-request');
    return inserted;
  });
}
