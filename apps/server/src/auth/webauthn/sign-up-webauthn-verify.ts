import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import { codeChallengeField } from '../code-exchange/code-challenge.ts';
import { sendLink } from '../mail-links/send-link.ts';
import { requireAllowedRedirect } from '../redirect-to.ts';
import { sendOrRollBackSignUp } from '../send-or-roll-back-sign-up.ts';
import { signUpFields, signUpOptions } from '../sign-up-options.ts';
import type { NewUser, UserRow } from '../users.ts';
import { nicknameField, registrationField } from './credential-fields.ts';
import type { WebauthnDeps } from './deps.ts';
import { createSecurityKeys, type NewSecurityKey } from './security-keys.ts';
import { registration } from './verify-registration.ts';

/** The public clients send the nickname inside the options, or beside them. */
const Body = z.object({
  credential: registrationField,
  nickname: nicknameField,
  codeChallenge: codeChallengeField,
  options: signUpOptions.and(z.object({ nickname: nicknameField })).nullish(),
});

/** What the first step remembered. */
const Remembered = z.object({ id: z.guid(), email: z.string(), options: signUpOptions });

/**
 * POST /signup/webauthn/verify. The user and the key come to be together, or not at all. Where addresses are
 * verified first, the answer holds no session.
 */
export async function signUpWebauthnVerify(
  context: Context,
  deps: WebauthnDeps,
): Promise<Response> {
  const { credential, nickname, options, codeChallenge } = await jsonBody(context, Body);
  const { key, redeemed } = await registration(credential, 'webauthn-sign-up', deps);
  const { id, email, options: earlier } = Remembered.parse(redeemed.details);
  const merged = { ...earlier, ...given(options) };
  const redirectTo = requireAllowedRedirect(merged, deps.settings);
  const chosen = signUpFields(merged, email);

  const user = await insertWithKey(deps, {
    user: { id, email, passwordHash: null, ...chosen },
    key,
    nickname: nickname ?? options?.nickname,
  });
  await deps.audit(context, { kind: 'signed-up', userId: user.id });
  if (!deps.settings.requireVerifiedEmail)
    return context.json({ session: await deps.sessions.open(user, context) });
  const link = { user, to: email, purpose: 'verifyEmail', redirectTo, codeChallenge } as const;
  await sendOrRollBackSignUp(deps.db, { user, isNew: true }, () => sendLink(link, deps));
  return context.json({});
}

/** The fields that say something. */
function given<T extends object>(options: T | null | undefined): Partial<T> {
  const entries = Object.entries(options ?? {});
  return Object.fromEntries(entries.filter(([, value]) => value != null)) as Partial<T>;
}

type Newcomer = { user: NewUser; key: NewSecurityKey; nickname: string | undefined };

async function insertWithKey(
  { db, users }: WebauthnDeps,
  { user, key, nickname }: Newcomer,
): Promise<UserRow> {
  return await db.transaction().execute(async (transaction) => {
    const inserted = await users.within(transaction).insert(user);
    if (inserted === undefined) throw new AuthProblem('user-already-exists');
    const added = await createSecurityKeys(transaction).insert(inserted.id, key, nickname);
    if (added === undefined) throw new AuthProblem('invalid-request');
    return inserted;
  });
}
