import { AUTH_PATHS, isProofStatus } from '@longshore/contract';
import type { SecurityKeys } from '../ports.ts';
import type { Proofs } from './account.ts';
import { readData, withoutData } from './read-response.ts';
import type { UserRequests } from './user-requests.ts';

export type ProofsDeps = {
  userRequests: UserRequests;
  securityKeys: SecurityKeys;
  signal: AbortSignal;
};

/** Proofs of identity in the current session, which sensitive changes require. */
export function createProofs({ userRequests, securityKeys, signal }: ProofsDeps): Proofs {
  const prove = async (path: string, body?: unknown) =>
    withoutData(await userRequests.post(path, body));
  return {
    async proofStatus() {
      return readData(await userRequests.get(AUTH_PATHS.proofStatus), isProofStatus);
    },
    proveByPassword: (password) => prove(AUTH_PATHS.elevatePassword, { password }),
    proveByTotp: (otp) => prove(AUTH_PATHS.elevateTotp, { otp }),
    sendProofCode: () => prove(AUTH_PATHS.elevateOtpEmail),
    proveByEmailCode: (otp) => prove(AUTH_PATHS.elevateOtpEmailVerify, { otp }),
    async proveBySecurityKey() {
      const challenge = await userRequests.post(AUTH_PATHS.elevateWebauthn);
      if (!challenge.ok) return challenge;
      const proof = await securityKeys.prove(challenge.body, signal);
      if (!proof.ok) return proof;
      return prove(AUTH_PATHS.elevateWebauthnVerify, { credential: proof.body, keepSession: true });
    },
  };
}
