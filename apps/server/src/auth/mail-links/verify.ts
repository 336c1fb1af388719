import { AUTH_ERRORS, type AuthErrorCode } from '@longshore/contract';
import type { Context } from 'hono';
import { AuthProblem } from '../auth-problem.ts';
import { codeChallengeField } from '../code-exchange/code-challenge.ts';
import type { AuthDeps } from '../deps.ts';
import { allowedRedirect } from '../redirect-to.ts';
import { followLink } from './follow-link.ts';
import { redirectAddress } from './redirect-address.ts';

/**
 * GET /verify, the link of every mail. The browser is sent on with a way to a session or with what went wrong; an
 * address we do not allow is never visited, and its ticket stays good.
 */
export async function verify(context: Context, deps: AuthDeps): Promise<Response> {
  const { redirectTo, ticket, ...query } = context.req.query();
  if (!redirectTo || !URL.canParse(redirectTo)) throw new AuthProblem('invalid-request');
  const target = allowedRedirect(redirectTo, deps.settings);
  if (target === undefined)
    return sendOn(context, deps.settings.publicUrl, problemOf('redirectTo-not-allowed'));
  // Programs that look whether a link is safe ask for its head; that must not use it up.
  if (context.req.method === 'HEAD') return context.body(null);
  const challenge = codeChallengeField.safeParse(query.codeChallenge);
  if (!challenge.success) return sendOn(context, target, problemOf('invalid-request'));
  const link = { ticket: ticket ?? '', codeChallenge: challenge.data };
  const followed = await followLink(context, link, deps);
  return followed.kind === 'refused'
    ? sendOn(context, target, problemOf(followed.code))
    : sendOn(context, target, { ...followed.handed, type: followed.purpose });
}

function problemOf(code: AuthErrorCode): Record<string, string> {
  return { error: code, errorDescription: AUTH_ERRORS[code].message };
}

function sendOn(context: Context, target: string, parameters: Record<string, string>): Response {
  context.header('cache-control', 'no-store');
  context.header('referrer-policy', 'no-referrer');
  return context.redirect(redirectAddress(target, parameters), 302);
}
