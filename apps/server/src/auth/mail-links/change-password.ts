import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import { checkBearer } from '../check-bearer.ts';
import type { AuthDeps } from '../deps.ts';
import { requireRegisteredUser } from '../require-registered-user.ts';
import { passwordField } from '../sign-in-fields.ts';
import { assertCanSignIn } from '../sign-in-problem.ts';
import type { UserRow } from '../users.ts';
import { linkPurposeOf } from './verify-link.ts';

const Body = z.object({ newPassword: passwordField, ticket: z.string().nullish() });

type Changer = { user: UserRow; sessionId: string | undefined };

/**
 * POST /user/password, for a good bearer or the ticket of a reset mail. Every session ends but the one that the
 * bearer was issued for, so the console stays signed in; with a ticket there is none to keep.
 */
export async function changePassword(context: Context, deps: AuthDeps): Promise<Response> {
  const { newPassword, ticket } = await jsonBody(context, Body);
  if (newPassword.reveal().length < deps.settings.passwordMinLength)
    throw new AuthProblem('password-too-short');
  const { user, sessionId } = await changerOf(context, ticket ?? undefined, deps);
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

/** A good bearer counts before a ticket; without one, and without a ticket, the request makes no sense. */
async function changerOf(
  context: Context,
  ticket: string | undefined,
  deps: AuthDeps,
): Promise<Changer> {
  const caller = await checkBearer(context.req.header('authorization'), deps.accessTokens);
  const isIdentified = caller.kind === 'identified';
  const goesOn = isIdentified && (await deps.users.findBySession(caller.identified)) !== undefined;
  if (goesOn || (isIdentified && ticket === undefined)) {
    const { user, identified } = await requireRegisteredUser(context, deps);
    return { user, sessionId: identified.sessionId };
  }
  if (ticket === undefined) throw new AuthProblem('invalid-request');
  return { user: await holderOf(ticket, deps), sessionId: undefined };
}

async function holderOf(ticket: string, { tickets, users, settings }: AuthDeps): Promise<UserRow> {
  const redeemed =
    linkPurposeOf(ticket) === 'passwordReset' ? await tickets.redeem(ticket) : undefined;
  const user = redeemed && (await users.findById(redeemed.userId));
  if (user === undefined || user.email !== redeemed?.address)
    throw new AuthProblem('invalid-ticket');
  assertCanSignIn(user, settings);
  return user;
}
