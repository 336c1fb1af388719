import type { Context } from 'hono';
import type { AuthDeps } from '../deps.ts';
import type { UserRow } from '../users.ts';

type Handing = {
  user: UserRow;
  codeChallenge: string | undefined;
  /** How the user came in, for the record. */
  details: Record<string, string>;
};

/**
 * What a redirect carries to somebody who has just proven who they are. Addresses are kept in histories and logs: a
 * code found there is worth nothing without its verifier. Clients that sent no challenge get a refresh token.
 */
export async function issueRedirectCredential(
  context: Context,
  { exchangeCodes, sessions, audit }: AuthDeps,
  { user, codeChallenge, details }: Handing,
): Promise<{ code: string } | { refreshToken: string }> {
  if (codeChallenge !== undefined)
    return { code: await exchangeCodes.issue(user.id, codeChallenge) };
  const { refreshToken } = await sessions.open(user, context);
  await audit(context, { kind: 'signed-in', userId: user.id, details });
  return { refreshToken };
}
