import { authError } from '@longshore/contract';
import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import type { AuthDeps } from '../deps.ts';
import { type MfaStep, type SignIn, signInResponse } from '../sessions.ts';
import { codeVerifierField } from './code-challenge.ts';

type RedirectSignIn = { signIn: SignIn; codeChallenge: string | undefined };

/**
 * The query parameters with which a redirect lets the client open a session. Clients that sent a code challenge get a
 * code: URLs are stored in browser histories and logs, and a code is useless without its verifier. Other clients get a
 * refresh token. For an account with a second factor, both get a ticket, which is useless without a code of the factor.
 */
export async function redirectParameters(
  context: Context,
  { exchangeCodes, sessions }: AuthDeps,
  { signIn, codeChallenge }: RedirectSignIn,
): Promise<Record<string, string>> {
  if (codeChallenge === undefined) {
    const opened = await sessions.open(context, signIn);
    return opened.kind === 'mfa'
      ? mfaRequired(opened)
      : { refreshToken: opened.session.refreshToken };
  }
  const admission = await sessions.admit(context, signIn);
  if (admission.kind === 'mfa') return mfaRequired(admission);
  return { code: await exchangeCodes.issue(admission.user.id, codeChallenge) };
}

function mfaRequired({ ticket }: MfaStep): Record<string, string> {
  const { error, message } = authError('mfa-required');
  return { error, errorDescription: message, ticket };
}

const Body = z.object({ code: z.string(), codeVerifier: codeVerifierField });

/**
 * POST /token/exchange: exchanges the code of a redirect and its verifier for a session. The user may have turned on a
 * second factor since the redirect.
 */
export async function tokenExchange(context: Context, deps: AuthDeps): Promise<Response> {
  const { code, codeVerifier } = await jsonBody(context, Body);
  const userId = await deps.exchangeCodes.redeem(code, codeVerifier);
  const user = userId === undefined ? undefined : await deps.users.findById(userId);
  if (user === undefined) {
    await deps.audit(context, { kind: 'sign-in-refused', details: { by: 'code' } });
    throw new AuthProblem('invalid-request');
  }
  const event = { kind: 'signed-in', details: { by: 'code' } } as const;
  const opened = await deps.sessions.open(context, { user, way: 'code-exchange', event });
  return signInResponse(context, opened);
}
