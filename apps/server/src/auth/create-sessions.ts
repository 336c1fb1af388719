import type { Session } from '@longshore/contract';
import type { Context } from 'hono';
import { clientOf } from '../http/client.ts';
import { AuthProblem } from './auth-problem.ts';
import type { AuthDeps } from './deps.ts';
import { insertLink } from './providers/account-links.ts';
import type { IssuedRefreshToken } from './refresh-tokens/refresh-tokens.ts';
import type { Sessions, SignIn } from './sessions.ts';
import { type SignInEffects, verifiedUser } from './sign-in-effects.ts';
import { decideSignIn, SIGN_IN_WAYS } from './sign-in-ways.ts';
import { toUser, type UserRow } from './users.ts';

type SessionDeps = Pick<
  AuthDeps,
  | 'db'
  | 'accessTokens'
  | 'refreshTokens'
  | 'tickets'
  | 'users'
  | 'providerSessions'
  | 'settings'
  | 'audit'
  | 'mailer'
  | 'background'
  | 'clock'
>;

export function createSessions(deps: SessionDeps): Sessions {
  return { open, admit, continue: sessionOf };

  async function open(context: Context, signIn: SignIn): ReturnType<Sessions['open']> {
    const admission = await admit(context, signIn);
    if (admission.kind === 'mfa') return admission;
    const { user } = admission;
    const refreshToken = await deps.refreshTokens.issue({
      user,
      client: clientOf(context),
      provedBy: SIGN_IN_WAYS[signIn.way].method,
      provedAt: new Date(deps.clock.now()),
    });
    if (refreshToken === undefined) return await open(context, await changedSignIn(signIn));
    if (signIn.event) await deps.audit(context, { userId: user.id, ...signIn.event });
    return { kind: 'session', session: sessionOf(user, refreshToken) };
  }

  async function admit(
    context: Context,
    { user, way, effects = {} }: SignIn,
  ): ReturnType<Sessions['admit']> {
    const decision = decideSignIn(way, verifiedUser(user, effects), deps.settings);
    if (decision.kind === 'refused') throw new AuthProblem(decision.code);
    if (decision.kind === 'second-factor') {
      const signIn = { way, effects };
      return { kind: 'mfa', ticket: await deps.tickets.issue(user.id, 'mfaTotp', { signIn }) };
    }
    const hasEffects = Object.keys(effects).length > 0;
    return {
      kind: 'admitted',
      user: hasEffects ? await applyEffects(context, deps, { user, effects }) : user,
    };
  }

  /** The user was changed while signing in. A replaced password opens no session. The effects are applied already. */
  async function changedSignIn({ effects: _, ...signIn }: SignIn): Promise<SignIn> {
    const user = await deps.users.findById(signIn.user.id);
    if (user === undefined) throw new AuthProblem('unauthorized');
    if (signIn.way === 'password' && user.password_hash !== signIn.user.password_hash)
      throw new AuthProblem('invalid-email-password');
    return { ...signIn, user };
  }

  function sessionOf(user: UserRow, refreshToken: IssuedRefreshToken): Session {
    return {
      accessToken: deps.accessTokens.sign(user, { sessionId: refreshToken.id }),
      accessTokenExpiresIn: deps.accessTokens.ttlSeconds,
      refreshToken: refreshToken.token,
      refreshTokenId: refreshToken.id,
      user: toUser(user),
    };
  }
}

type EffectDeps = Pick<
  AuthDeps,
  'db' | 'users' | 'tickets' | 'providerSessions' | 'audit' | 'mailer' | 'background'
>;

/** Applies what a user proved, and returns the changed user. */
async function applyEffects(
  context: Context,
  deps: EffectDeps,
  { user, effects }: { user: UserRow; effects: SignInEffects },
): Promise<UserRow> {
  const { verified, newEmail, account, providerTokens, link } = effects;
  const userId = user.id;
  if (link !== undefined) await deps.tickets.revoke(userId, link);
  if (newEmail !== undefined) {
    if (!(await deps.users.confirmNewEmail(userId, newEmail)))
      throw new AuthProblem('user-already-exists');
    await deps.tickets.revokeAll(userId);
    await deps.audit(context, { kind: 'email-changed', userId });
    reportToOldAddress(user, deps);
  }
  if (verified === 'email' && !user.email_verified) {
    await deps.users.setEmailVerified(userId);
    await deps.audit(context, { kind: 'email-verified', userId });
  }
  if (verified === 'phone-number') await deps.users.setPhoneNumberVerified(userId);
  if (account !== undefined && (await insertLink(deps.db, { ...account, userId }))) {
    const details = { provider: account.provider };
    await deps.audit(context, { kind: 'provider-linked', userId, details });
  }
  if (providerTokens !== undefined) {
    const { provider, sealed } = providerTokens;
    await deps.providerSessions.save({ userId, provider }, sealed);
  }
  return (await deps.users.findById(userId)) ?? user;
}

/** The old address is the only one that reaches a user whose account another person takes over. */
function reportToOldAddress(
  { email, display_name: displayName, locale }: UserRow,
  { mailer, background }: EffectDeps,
): void {
  if (email === null) return;
  background.run(() => mailer.send({ to: email, purpose: 'email-changed', displayName, locale }));
}
