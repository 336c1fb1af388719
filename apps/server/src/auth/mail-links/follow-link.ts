import type { AuthErrorCode } from '@longshore/contract';
import type { Context } from 'hono';
import { issueRedirectCredential } from '../code-exchange/token-exchange.ts';
import type { AuthDeps } from '../deps.ts';
import { resetUnverifiedUser } from '../reset-unverified-user.ts';
import { signInProblem } from '../sign-in-problem.ts';
import type { UserRow } from '../users.ts';
import { type LinkPurpose, linkPurposeOf } from './verify-link.ts';

export type Followed =
  | {
      kind: 'proven';
      handed: Awaited<ReturnType<typeof issueRedirectCredential>>;
      purpose: LinkPurpose;
    }
  | { kind: 'refused'; code: AuthErrorCode };

type Link = { ticket: string; codeChallenge: string | undefined };

/** Uses a ticket up, does what it was for and hands over what opens a session. */
export async function followLink(
  context: Context,
  { ticket, codeChallenge }: Link,
  deps: AuthDeps,
): Promise<Followed> {
  const purpose = linkPurposeOf(ticket);
  const redeemed = purpose && (await deps.tickets.redeem(ticket));
  const user = redeemed && (await deps.users.findById(redeemed.userId));
  if (!redeemed || user === undefined || !isStillMeant(purpose, user, redeemed.address))
    return { kind: 'refused', code: 'invalid-ticket' };
  if (user.disabled) return { kind: 'refused', code: 'disabled-user' };
  const code = await EFFECTS[purpose](context, user, deps);
  if (code !== undefined) return { kind: 'refused', code };
  const details = { by: purpose };
  const handed = await issueRedirectCredential(context, deps, { user, codeChallenge, details });
  return { kind: 'proven', purpose, handed };
}

/** The address may have become another one since the mail was sent. */
function isStillMeant(
  purpose: LinkPurpose,
  { email, new_email: newEmail }: UserRow,
  address: string | null,
): boolean {
  return address !== null && address === (purpose === 'emailConfirmChange' ? newEmail : email);
}

type Effect = (
  context: Context,
  user: UserRow,
  deps: AuthDeps,
) => Promise<AuthErrorCode | undefined>;

/** What following a link does, beside signing in. Wire §3.14. */
const EFFECTS: Record<LinkPurpose, Effect> = {
  verifyEmail: verifyAddress,
  passwordlessEmail: proveAddress,
  emailConfirmChange: changeAddress,
  passwordReset: async (_, user, { settings }) => signInProblem(user, settings),
};

async function verifyAddress(
  context: Context,
  user: UserRow,
  { users, audit }: AuthDeps,
): Promise<undefined> {
  if (user.email_verified) return;
  await users.setEmailVerified(user.id);
  await audit(context, { kind: 'email-verified', userId: user.id });
}

/** Asked for by whoever owns the address, unlike the link of a sign-up: what a stranger set up with it goes. */
async function proveAddress(context: Context, user: UserRow, deps: AuthDeps): Promise<undefined> {
  if (!user.email_verified && deps.settings.requireVerifiedEmail) {
    await resetUnverifiedUser(deps.db, user.id);
  }
  await verifyAddress(context, user, deps);
}

async function changeAddress(
  context: Context,
  user: UserRow,
  { users, tickets, audit }: AuthDeps,
): Promise<AuthErrorCode | undefined> {
  if (!(await users.confirmNewEmail(user.id, user.new_email))) return 'user-already-exists';
  await tickets.revokeAll(user.id);
  await audit(context, { kind: 'email-changed', userId: user.id });
  return undefined;
}
