import { AUTH_PATHS, clientError, isRecord, isSession, type Session } from '@longshore/contract';
import type { Auth } from '../auth/auth.ts';
import type { SecurityKeys } from '../auth/security-keys.ts';
import type { RequestResult } from '../graphql/request-result.ts';
import type { WithKey } from './account.ts';
import { readAnswer, refused } from './answer.ts';
import type { AsUser } from './as-user.ts';

export type WithKeyDeps = {
  auth: Pick<Auth, 'state' | 'adopt'>;
  securityKeys: SecurityKeys;
  asUser: AsUser;
  signal: AbortSignal;
};

/** What needs a security key in the hand of somebody signed in. Spec §7. */
export function createWithKey(deps: WithKeyDeps): WithKey {
  const { auth, asUser, securityKeys, signal } = deps;

  async function elevate(given?: string): Promise<RequestResult<undefined>> {
    const state = auth.state();
    const email = given ?? (state.kind === 'signed-in' ? state.user.email : undefined);
    if (!email) return refused({ ...clientError('invalid-email'), message: NO_EMAIL });
    const challenge = await asUser.post(AUTH_PATHS.elevateWebauthn, { email });
    if (!challenge.ok) return challenge;
    const proof = await securityKeys.prove(challenge.body, signal);
    if (!proof.ok) return proof;
    const answer = await asUser.post(AUTH_PATHS.elevateWebauthnVerify, {
      email,
      credential: proof.body,
    });
    const session = readAnswer(answer, isAnswerWithSession);
    if (!session.ok) return session;
    auth.adopt(session.data.session);
    return { ok: true, data: undefined };
  }

  async function addSecurityKey(nickname?: string) {
    const challenge = await asUser.post(AUTH_PATHS.addSecurityKey, {});
    if (!challenge.ok) return challenge;
    const credential = await securityKeys.create(challenge.body, signal);
    if (!credential.ok) return credential;
    const body = { credential: credential.body, nickname };
    return readAnswer(await asUser.post(AUTH_PATHS.addSecurityKeyVerify, body), isKey);
  }

  return { elevate, addSecurityKey };
}

/** Spec §5. */
const NO_EMAIL = 'A user email is required';

function isAnswerWithSession(body: unknown): body is { session: Session } {
  return isRecord(body) && isSession(body.session);
}

function isKey(body: unknown): body is { id: string; nickname?: string } {
  return isRecord(body) && typeof body.id === 'string';
}
