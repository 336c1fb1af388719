import { AUTH_ERRORS, type AuthErrorCode } from '@longshore/contract';
import type { Context } from 'hono';
import { AuthProblem } from '../auth-problem.ts';
import { codeChallengeField } from '../code-exchange/code-challenge.ts';
import {
  issueRedirectCredential,
  type RedirectCredential,
} from '../code-exchange/token-exchange.ts';
import type { AuthDeps } from '../deps.ts';
import { allowedRedirect } from '../redirect-to.ts';
import { resetUnverifiedUser } from '../reset-unverified-user.ts';
import { signInProblem } from '../sign-in-problem.ts';
import type { UserRow } from '../users.ts';
import { type LinkPurpose, linkPurposeOf } from './mail-link.ts';

/**
 * GET /verify, the link of every mail. Redirects the browser with a credential for a session, or with an error. If the
 * redirect is not allowed, the ticket stays valid.
 */
export async function verify(context: Context, deps: AuthDeps): Promise<Response> {
  const { redirectTo, ticket, ...query } = context.req.query();
  if (!redirectTo || !URL.canParse(redirectTo)) throw new AuthProblem('invalid-request');
  const target = allowedRedirect(redirectTo, deps.settings);
  if (target === undefined) {
    const parameters = errorParameters('redirectTo-not-allowed');
    return redirect(context, deps.settings.publicUrl, parameters);
  }
  // Link scanners of mail systems send HEAD requests, which must not use up the ticket.
  if (context.req.method === 'HEAD') return context.body(null);
  const challenge = codeChallengeField.safeParse(query.codeChallenge);
  if (!challenge.success) return redirect(context, target, errorParameters('invalid-request'));
  const link = { ticket: ticket ?? '', codeChallenge: challenge.data };
  const outcome = await followLink(context, link, deps);
  return outcome.kind === 'refused'
    ? redirect(context, target, errorParameters(outcome.code))
    : redirect(context, target, { ...outcome.credential, type: outcome.purpose });
}

function errorParameters(code: AuthErrorCode): Record<string, string> {
  return { error: code, errorDescription: AUTH_ERRORS[code].message };
}

/** Keeps the target's own query and fragment. */
function redirect(context: Context, target: string, parameters: Record<string, string>): Response {
  const url = new URL(target);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  url.searchParams.sort();
  context.header('cache-control', 'no-store');
  context.header('referrer-policy', 'no-referrer');
  return context.redirect(url.href, 302);
}

type LinkOutcome =
  | { kind: 'verified'; credential: RedirectCredential; purpose: LinkPurpose }
  | { kind: 'refused'; code: AuthErrorCode };

type FollowedLink = { ticket: string; codeChallenge: string | undefined };

/** Redeems the ticket, applies the effect of its purpose, and signs the user in. */
async function followLink(
  context: Context,
  { ticket, codeChallenge }: FollowedLink,
  deps: AuthDeps,
): Promise<LinkOutcome> {
  const purpose = linkPurposeOf(ticket);
  const redeemed = purpose && (await deps.tickets.redeem(ticket));
  const user = redeemed && (await deps.users.findById(redeemed.userId));
  if (!redeemed || user === undefined || !isCurrentAddress(purpose, user, redeemed.address))
    return { kind: 'refused', code: 'invalid-ticket' };
  if (user.disabled) return { kind: 'refused', code: 'disabled-user' };
  const code = await EFFECTS[purpose](context, user, deps);
  if (code !== undefined) return { kind: 'refused', code };
  const details = { by: purpose };
  const credential = await issueRedirectCredential(context, deps, { user, codeChallenge, details });
  return { kind: 'verified', purpose, credential };
}

/** The user's address may have changed since the mail was sent. */
function isCurrentAddress(
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

/** What following a link does before the user is signed in. */
const EFFECTS: Record<LinkPurpose, Effect> = {
  verifyEmail,
  passwordlessEmail: verifyEmailOfOwner,
  emailConfirmChange: confirmNewEmail,
  passwordReset: async (_, user, { settings }) => signInProblem(user, settings),
};

async function verifyEmail(
  context: Context,
  user: UserRow,
  { users, audit }: AuthDeps,
): Promise<undefined> {
  if (user.email_verified) return;
  await users.setEmailVerified(user.id);
  await audit(context, { kind: 'email-verified', userId: user.id });
}

/**
 * Only the owner of the address can follow this link, but another person may have signed up with the address before:
 * their credentials are removed.
 */
async function verifyEmailOfOwner(
  context: Context,
  user: UserRow,
  deps: AuthDeps,
): Promise<undefined> {
  if (!user.email_verified && deps.settings.requireVerifiedEmail) {
    await resetUnverifiedUser(deps.db, user.id);
  }
  await verifyEmail(context, user, deps);
}

async function confirmNewEmail(
  context: Context,
  user: UserRow,
  { users, tickets, audit }: AuthDeps,
): Promise<AuthErrorCode | undefined> {
  if (!(await users.confirmNewEmail(user.id, user.new_email))) return 'user-already-exists';
  await tickets.revokeAll(user.id);
  await audit(context, { kind: 'email-changed', userId: user.id });
  return undefined;
}
