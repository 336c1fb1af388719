import { AUTH_PATHS, clientError, isRecord, isSession, type Session } from '@longshore/contract';
import type { Auth } from '../auth/auth.ts';
import type { RequestResult } from '../http/request-result.ts';
import type { SecurityKeys } from '../ports.ts';
import type { SecurityKeyActions } from './account.ts';
import { failure, readData } from './read-response.ts';
import type { UserRequests } from './user-requests.ts';

export type SecurityKeyActionsDeps = {
  auth: Pick<Auth, 'state' | 'adoptSession'>;
  securityKeys: SecurityKeys;
  userRequests: UserRequests;
  signal: AbortSignal;
};

/** Actions for which the signed-in user must use a security key. */
export function createSecurityKeyActions(deps: SecurityKeyActionsDeps): SecurityKeyActions {
  const { auth, userRequests, securityKeys, signal } = deps;

  async function elevate(knownEmail?: string): Promise<RequestResult<undefined>> {
    const state = auth.state();
    const email = knownEmail ?? (state.kind === 'signed-in' ? state.user.email : undefined);
    if (!email) return failure({ ...clientError('invalid-email'), message: NO_EMAIL });
    const challenge = await userRequests.post(AUTH_PATHS.elevateWebauthn, { email });
    if (!challenge.ok) return challenge;
    const proof = await securityKeys.prove(challenge.body, signal);
    if (!proof.ok) return proof;
    const response = await userRequests.post(AUTH_PATHS.elevateWebauthnVerify, {
      email,
      credential: proof.body,
    });
    const session = readData(response, isSessionResponse);
    if (!session.ok) return session;
    auth.adoptSession(session.data.session);
    return { ok: true, data: undefined };
  }

  async function addSecurityKey(nickname?: string) {
    const challenge = await userRequests.post(AUTH_PATHS.addSecurityKey);
    if (!challenge.ok) return challenge;
    const credential = await securityKeys.create(challenge.body, signal);
    if (!credential.ok) return credential;
    const body = { credential: credential.body, nickname };
    return readData(await userRequests.post(AUTH_PATHS.addSecurityKeyVerify, body), isKey);
  }

  return { elevate, addSecurityKey };
}

/** Exact text (spec-map 5.1.7). */
const NO_EMAIL = 'A user email is required';

function isSessionResponse(body: unknown): body is { session: Session } {
  return isRecord(body) && isSession(body.session);
}

function isKey(body: unknown): body is { id: string; nickname?: string } {
  return isRecord(body) && typeof body.id === 'string';
}
