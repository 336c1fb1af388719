import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import type { AuthDeps } from '../deps.ts';
import { assertCanSignIn } from '../sign-in-problem.ts';
import type { UserRow } from '../users.ts';
import { codeVerifierField } from './code-challenge.ts';

type VerifiedSignIn = {
  user: UserRow;
  codeChallenge: string | undefined;
  /** The sign-in method, for the audit log. */
  details: Record<string, string>;
};

/** The query parameter with which a redirect lets the client open a session. */
export type RedirectCredential = { code: string } | { refreshToken: string };

/**
 * Clients that sent a code challenge get a code: URLs are stored in browser histories and logs, and a code is useless
 * without its verifier. Other clients get a refresh token.
 */
export async function issueRedirectCredential(
  context: Context,
  { exchangeCodes, sessions, audit }: AuthDeps,
  { user, codeChallenge, details }: VerifiedSignIn,
): Promise<RedirectCredential> {
  if (codeChallenge !== undefined)
    return { code: await exchangeCodes.issue(user.id, codeChallenge) };
  const { refreshToken } = await sessions.open(user, context);
  await audit(context, { kind: 'signed-in', userId: user.id, details });
  return { refreshToken };
}

const Body = z.object({ code: z.string(), codeVerifier: codeVerifierField });

/** POST /token/exchange: exchanges the code of a redirect and its verifier for a session. */
export async function tokenExchange(context: Context, deps: AuthDeps): Promise<Response> {
  const { code, codeVerifier } = await jsonBody(context, Body);
  const userId = await deps.exchangeCodes.redeem(code, codeVerifier);
  const user = userId === undefined ? undefined : await deps.users.findById(userId);
  if (user === undefined) {
    await deps.audit(context, { kind: 'sign-in-refused', details: { by: 'code' } });
    throw new AuthProblem('invalid-request');
  }
  assertCanSignIn(user, deps.settings);
  const session = await deps.sessions.open(user, context);
  await deps.audit(context, { kind: 'signed-in', userId: user.id, details: { by: 'code' } });
  return context.json({ session });
}
