import { AUTH_ERRORS, type AuthErrorCode } from '@longshore/contract';
import type { Context } from 'hono';
import { AuthProblem } from '../auth-problem.ts';
import { codeChallengeField } from '../code-exchange/code-challenge.ts';
import { redirectParameters } from '../code-exchange/token-exchange.ts';
import type { AuthDeps } from '../deps.ts';
import { allowedRedirect } from '../redirect-to.ts';
import { resetUnverifiedUser } from '../reset-unverified-user.ts';
import type { SignInEffects } from '../sign-in-effects.ts';
import { mustVerifyEmail } from '../sign-in-problem.ts';
import { needsSecondFactor } from '../sign-in-ways.ts';
import type { UserRow } from '../users.ts';
import { type LinkPurpose, linkPurposeOf } from './mail-link.ts';

/**
 * GET /verify, the link of every mail. Redirects the browser with a credential for a session, or with an error. If the
 * redirect is not allowed, the ticket stays valid. For an account with a second factor, the link has no effect before
 * the code, and stays valid until then.
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
  return redirect(context, target, await followLink(context, link, deps));
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

type FollowedLink = { ticket: string; codeChallenge: string | undefined };

/** Redeems the ticket and signs the user in. Returns the parameters of the redirect. */
async function followLink(
  context: Context,
  { ticket, codeChallenge }: FollowedLink,
  deps: AuthDeps,
): Promise<Record<string, string>> {
  try {
    const { user, purpose } = await userOfLink(ticket, deps);
    const isDeferred = needsSecondFactor(purpose, user);
    if (!isDeferred) await redeemLink(ticket, { user, purpose }, deps);
    const signIn = {
      user,
      way: purpose,
      effects: { ...EFFECTS[purpose](user), ...(isDeferred && { link: purpose }) },
      event: { kind: 'signed-in', details: { by: purpose } },
    } as const;
    const parameters = await redirectParameters(context, deps, { signIn, codeChallenge });
    return 'error' in parameters ? parameters : { ...parameters, type: purpose };
  } catch (error) {
    if (!(error instanceof AuthProblem)) throw error;
    return { error: error.code, errorDescription: error.message };
  }
}

type LinkUser = { user: UserRow; purpose: LinkPurpose };

async function userOfLink(ticket: string, { tickets, users }: AuthDeps): Promise<LinkUser> {
  const purpose = linkPurposeOf(ticket);
  const found = purpose && (await tickets.find(ticket));
  const user = found && (await users.findById(found.userId));
  if (!found || user === undefined || !isCurrentAddress(purpose, user, found.address))
    throw new AuthProblem('invalid-ticket');
  return { user, purpose };
}

/** The user's address may have changed since the mail was sent. */
function isCurrentAddress(
  purpose: LinkPurpose,
  { email, new_email: newEmail }: UserRow,
  address: string | null,
): boolean {
  return address !== null && address === (purpose === 'emailConfirmChange' ? newEmail : email);
}

async function redeemLink(
  ticket: string,
  { user, purpose }: LinkUser,
  { db, tickets, settings }: AuthDeps,
): Promise<void> {
  if ((await tickets.redeem(ticket)) === undefined) throw new AuthProblem('invalid-ticket');
  if (user.disabled) throw new AuthProblem('disabled-user');
  // Only the owner of the address can follow this link, but another person may have signed up with the address before.
  if (purpose === 'passwordlessEmail' && mustVerifyEmail(user, settings))
    await resetUnverifiedUser(db, user);
}

/** What following a link proves. */
const EFFECTS: Record<LinkPurpose, (user: UserRow) => SignInEffects> = {
  verifyEmail: () => ({ verified: 'email' }),
  passwordlessEmail: () => ({ verified: 'email' }),
  emailConfirmChange: ({ new_email: newEmail }) => (newEmail === null ? {} : { newEmail }),
  passwordReset: () => ({}),
};
