import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import { checkBearer } from '../check-bearer.ts';
import type { AuthDeps } from '../deps.ts';
import { requireFreshProof } from '../proof/require-fresh-proof.ts';
import { passwordField } from '../sign-in-fields.ts';
import { assertCanSignIn } from '../sign-in-problem.ts';
import { needsSecondFactor } from '../sign-in-ways.ts';
import type { UserRow } from '../users.ts';
import { linkPurposeOf } from './mail-link.ts';

const Body = z.object({ newPassword: passwordField, ticket: z.string().nullish() });

type Requester = { user: UserRow; sessionId: string | undefined };

/**
 * POST /user/password, with a bearer token or the ticket of a reset mail. Ends all sessions except the one of the
 * bearer token, so that the console stays signed in.
 */
export async function changePassword(context: Context, deps: AuthDeps): Promise<Response> {
  const { newPassword, ticket } = await jsonBody(context, Body);
  if (newPassword.reveal().length < deps.settings.passwordMinLength)
    throw new AuthProblem('password-too-short');
  const { user, sessionId } = await requesterOf(context, ticket ?? undefined, deps);
  await deps.users.setPassword(user.id, await deps.passwords.hash(newPassword));
  await deps.refreshTokens.revokeOthers(user.id, sessionId);
  await deps.tickets.revokeAll(user.id);
  await deps.exchangeCodes.revokeAll(user.id);
  await deps.audit(context, {
    kind: 'password-changed',
    userId: user.id,
    details: { by: sessionId === undefined ? 'ticket' : 'session' },
  });
  return context.json('OK');
}

/**
 * A session with a fresh proof takes precedence over a ticket. A ticket is a proof of its own: it was mailed to the
 * user.
 */
async function requesterOf(
  context: Context,
  ticket: string | undefined,
  deps: AuthDeps,
): Promise<Requester> {
  const caller = await checkBearer(context.req.header('authorization'), deps.accessTokens);
  if (ticket === undefined && caller.kind !== 'identified')
    throw new AuthProblem('invalid-request');
  try {
    const { user, session } = await requireFreshProof(context, deps);
    return { user, sessionId: session.id };
  } catch (error) {
    if (ticket === undefined || !(error instanceof AuthProblem)) throw error;
  }
  return { user: await userOfTicket(ticket, deps), sessionId: undefined };
}

async function userOfTicket(
  ticket: string,
  { tickets, users, settings }: AuthDeps,
): Promise<UserRow> {
  const found = linkPurposeOf(ticket) === 'passwordReset' ? await tickets.find(ticket) : undefined;
  const user = found && (await users.findById(found.userId));
  if (user === undefined || user.email !== found?.address) throw new AuthProblem('invalid-ticket');
  // The link of the mail asks for the code and then opens a session, so the ticket stays valid.
  if (needsSecondFactor('passwordReset', user)) throw new AuthProblem('mfa-required');
  if ((await tickets.redeem(ticket)) === undefined) throw new AuthProblem('invalid-ticket');
  assertCanSignIn(user, settings);
  return user;
}
