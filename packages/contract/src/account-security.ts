import { areStrings, areStringsOrNull, isRecord } from './type-guards.ts';

/** A session of the user: one browser or device that is signed in. */
export type ActiveSession = {
  id: string;
  createdAt: string;
  lastUsedAt: string;
  userAgent: string | null;
  address: string | null;
  /** Whether the request was sent with this session. */
  isCurrent: boolean;
};

export type SecurityKey = { id: string; nickname: string | null; createdAt: string };

/** A personal access token without its value, which only the create call returns. */
export type PersonalAccessToken = {
  id: string;
  metadata: unknown;
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string;
};

export type SecurityEvent = {
  id: string;
  at: string;
  /** A `SecurityEventKind`, or one that a newer server has added. */
  kind: string;
  address: string | null;
  userAgent: string | null;
  details: Record<string, unknown>;
};

/** Everything the security log of an account records. */
export type SecurityEventKind =
  | 'signed-up'
  | 'signed-in'
  | 'signed-in-with-recovery-code'
  | 'sign-in-refused'
  | 'signed-out'
  | 'signed-out-everywhere'
  | 'session-revoked'
  | 'refresh-token-reused'
  | 'password-changed'
  | 'password-reset-asked'
  | 'verification-mail-asked'
  | 'sign-in-link-asked'
  | 'sign-in-code-asked'
  | 'email-verified'
  | 'email-change-asked'
  | 'email-changed'
  | 'mfa-activated'
  | 'mfa-deactivated'
  | 'mfa-refused'
  | 'recovery-codes-created'
  | 'security-key-added'
  | 'security-key-removed'
  | 'security-key-cloned'
  | 'elevated'
  | 'elevation-refused'
  | 'elevation-code-asked'
  | 'access-token-created'
  | 'access-token-revoked'
  | 'provider-linked'
  | 'provider-tokens-taken'
  | 'provider-tokens-refreshed'
  | 'integration-connected'
  | 'integration-removed'
  | 'deploy-hook-created'
  | 'deploy-hook-removed'
  | 'deanonymized'
  | 'operator-granted'
  | 'operator-revoked'
  | 'sign-up-mode-changed'
  | 'invitation-created'
  | 'invitation-revoked'
  | 'user-disabled'
  | 'user-enabled'
  | 'quotas-changed';

/** Ways to prove one's identity again in a session. `totp` includes recovery codes. */
export const PROOF_OPTIONS = ['password', 'security-key', 'totp', 'email-code'] as const;

export type ProofOption = (typeof PROOF_OPTIONS)[number];

/** Whether sensitive changes need another proof of identity now, and the proofs that the account accepts. */
export type ProofStatus = { isFresh: boolean; options: ProofOption[] };

/** For setting up an authenticator app: a QR code to scan, or the secret to type. */
export type TotpSecret = { imageUrl: string; totpSecret: string };

/** How many recovery codes of the account are unused. */
export type RecoveryCodesLeft = { left: number };

/** Codes that each replace a code of the authenticator app once. No other response contains them. */
export type NewRecoveryCodes = { recoveryCodes: string[] };

/** Tokens for calling a provider's API as the user. */
export type ProviderSession = {
  accessToken: string;
  /** Seconds. */
  expiresIn: number;
  expiresAt: string;
  refreshToken?: string;
};

export function isActiveSession(value: unknown): value is ActiveSession {
  return (
    isRecord(value) &&
    areStrings(value.id, value.createdAt, value.lastUsedAt) &&
    areStringsOrNull(value.userAgent, value.address) &&
    typeof value.isCurrent === 'boolean'
  );
}

export function isSecurityKey(value: unknown): value is SecurityKey {
  return (
    isRecord(value) && areStrings(value.id, value.createdAt) && areStringsOrNull(value.nickname)
  );
}

export function isPersonalAccessToken(value: unknown): value is PersonalAccessToken {
  return (
    isRecord(value) &&
    areStrings(value.id, value.createdAt, value.expiresAt) &&
    areStringsOrNull(value.lastUsedAt)
  );
}

export function isSecurityEvent(value: unknown): value is SecurityEvent {
  return (
    isRecord(value) &&
    areStrings(value.id, value.at, value.kind) &&
    areStringsOrNull(value.address, value.userAgent) &&
    isRecord(value.details)
  );
}

export function isProofStatus(value: unknown): value is ProofStatus {
  return (
    isRecord(value) &&
    typeof value.isFresh === 'boolean' &&
    Array.isArray(value.options) &&
    value.options.every((option) => PROOF_OPTIONS.includes(option))
  );
}

export function isTotpSecret(value: unknown): value is TotpSecret {
  return isRecord(value) && areStrings(value.imageUrl, value.totpSecret);
}

export function isRecoveryCodesLeft(value: unknown): value is RecoveryCodesLeft {
  return isRecord(value) && typeof value.left === 'number';
}

export function isNewRecoveryCodes(value: unknown): value is NewRecoveryCodes {
  const codes = isRecord(value) ? value.recoveryCodes : undefined;
  return Array.isArray(codes) && codes.length > 0 && areStrings(...codes);
}

export function isProviderSession(value: unknown): value is ProviderSession {
  return (
    isRecord(value) &&
    areStrings(value.accessToken, value.expiresAt) &&
    typeof value.expiresIn === 'number' &&
    (value.refreshToken === undefined || areStrings(value.refreshToken))
  );
}
