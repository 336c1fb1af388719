import { isRecord } from './parsed.ts';
import { areTexts, areTextsOrNull } from './texts.ts';

/** What people see of their own account. The lists are our own; the others are those of the public clients. */

/** A place where somebody is signed in. */
export type OpenSession = {
  id: string;
  createdAt: string;
  lastUsedAt: string;
  userAgent: string | null;
  address: string | null;
  /** The session that asks. */
  isCurrent: boolean;
};

export type SecurityKey = { id: string; nickname: string | null; createdAt: string };

/** A personal access token without its value, which is told once. */
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
  /** A `SecurityEventKind`, or one that only a newer server knows. */
  kind: string;
  address: string | null;
  userAgent: string | null;
  details: Record<string, unknown>;
};

/** What an authenticator app is set up with: a picture to scan, or the text to type. */
export type TotpSecret = { imageUrl: string; totpSecret: string };

/** What lets one call a provider in one's own name. Wire §3. */
export type ProviderSession = {
  accessToken: string;
  /** Seconds. */
  expiresIn: number;
  expiresAt: string;
  refreshToken?: string;
};

export function isOpenSession(value: unknown): value is OpenSession {
  return (
    isRecord(value) &&
    areTexts(value.id, value.createdAt, value.lastUsedAt) &&
    areTextsOrNull(value.userAgent, value.address) &&
    typeof value.isCurrent === 'boolean'
  );
}

export function isSecurityKey(value: unknown): value is SecurityKey {
  return isRecord(value) && areTexts(value.id, value.createdAt) && areTextsOrNull(value.nickname);
}

export function isPersonalAccessToken(value: unknown): value is PersonalAccessToken {
  return (
    isRecord(value) &&
    areTexts(value.id, value.createdAt, value.expiresAt) &&
    areTextsOrNull(value.lastUsedAt)
  );
}

export function isSecurityEvent(value: unknown): value is SecurityEvent {
  return (
    isRecord(value) &&
    areTexts(value.id, value.at, value.kind) &&
    areTextsOrNull(value.address, value.userAgent) &&
    isRecord(value.details)
  );
}

export function isTotpSecret(value: unknown): value is TotpSecret {
  return isRecord(value) && areTexts(value.imageUrl, value.totpSecret);
}

export function isProviderSession(value: unknown): value is ProviderSession {
  return (
    isRecord(value) &&
    areTexts(value.accessToken, value.expiresAt) &&
    typeof value.expiresIn === 'number' &&
    (value.refreshToken === undefined || areTexts(value.refreshToken))
  );
}
