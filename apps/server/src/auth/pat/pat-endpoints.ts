import type { PersonalAccessToken } from '@longshore/contract';
import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import type { AuthDeps } from '../deps.ts';
import { metadataField } from '../metadata-field.ts';
import { requireFreshProof } from '../proof/require-fresh-proof.ts';
import { requireRegisteredUser } from '../require-registered-user.ts';
import { signInResponse } from '../sessions.ts';

const CreateBody = z.object({
  expiresAt: z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
  metadata: metadataField.nullish(),
});

/** POST /pat. Any expiry in the future is allowed. */
export async function createPat(context: Context, deps: AuthDeps): Promise<Response> {
  const { user } = await requireFreshProof(context, deps);
  const { expiresAt, metadata } = await jsonBody(context, CreateBody);
  if (expiresAt.getTime() <= deps.clock.now()) throw new AuthProblem('invalid-request');
  const { id, token } = await deps.personalAccessTokens.issue({
    userId: user.id,
    expiresAt,
    metadata: metadata ?? null,
  });
  await deps.audit(context, {
    kind: 'access-token-created',
    userId: user.id,
    details: { id, expiresAt: expiresAt.toISOString() },
  });
  return context.json({ id, personalAccessToken: token });
}

const SignInBody = z.object({ personalAccessToken: z.string() });

/** POST /signin/pat. The session has its own refresh token and ends when the personal access token is revoked. */
export async function signInPat(context: Context, deps: AuthDeps): Promise<Response> {
  const { personalAccessToken } = await jsonBody(context, SignInBody);
  const opened = await openPatSession(context, personalAccessToken, deps);
  if (opened === undefined) {
    await deps.audit(context, { kind: 'sign-in-refused' });
    throw new AuthProblem('invalid-pat');
  }
  return signInResponse(context, opened);
}

type PatSessionDeps = Pick<
  AuthDeps,
  'personalAccessTokens' | 'users' | 'sessions' | 'refreshTokens' | 'audit'
>;

type OpenedSession = Awaited<ReturnType<AuthDeps['sessions']['open']>>;

/** Undefined if the token is unknown or has expired. */
export async function openPatSession(
  context: Context,
  token: string,
  deps: PatSessionDeps,
): Promise<OpenedSession | undefined> {
  const pat = await deps.personalAccessTokens.use(token);
  const user = pat && (await deps.users.findById(pat.userId));
  if (pat === undefined || user === undefined) return undefined;
  const opened = await deps.sessions.open(context, { user, way: 'personal-access-token' });
  if (opened.kind === 'mfa') return opened;
  const { refreshTokenId } = opened.session;
  if (!(await deps.personalAccessTokens.bind(pat.id, refreshTokenId))) {
    await deps.refreshTokens.revokeSession(user.id, refreshTokenId);
    throw new AuthProblem('invalid-pat');
  }
  await deps.audit(context, {
    kind: 'signed-in',
    userId: user.id,
    details: { accessTokenId: pat.id },
  });
  return opened;
}

/** GET /personal-access-tokens: the caller's tokens without their values, newest first. */
export async function listPats(context: Context, deps: AuthDeps): Promise<Response> {
  const { user } = await requireFreshProof(context, deps);
  const rows = await deps.personalAccessTokens.ofUser(user.id);
  const personalAccessTokens = rows.map(
    (row): PersonalAccessToken => ({
      id: row.id,
      metadata: row.metadata,
      createdAt: row.created_at.toISOString(),
      lastUsedAt: row.last_used_at?.toISOString() ?? null,
      expiresAt: row.expires_at.toISOString(),
    }),
  );
  return context.json({ personalAccessTokens });
}

const PatId = z.guid();

/**
 * DELETE /personal-access-tokens/{id}. Also ends the sessions opened with the token. Responds with OK for unknown
 * tokens and those of other users too, but does not revoke them. Needs no fresh proof, because it only takes access
 * away, and a leaked token must be revocable at once.
 */
export async function revokePat(context: Context, deps: AuthDeps): Promise<Response> {
  const { user } = await requireRegisteredUser(context, deps);
  const { data: id } = PatId.safeParse(context.req.param('id'));
  if (id !== undefined && (await deps.personalAccessTokens.revoke(user.id, id))) {
    await deps.audit(context, {
      kind: 'access-token-revoked',
      userId: user.id,
      details: { id },
    });
  }
  return context.json('OK');
}
