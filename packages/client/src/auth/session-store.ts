import type { KeyValueStorage } from '../ports.ts';
import type { HeldSession } from './held-session.ts';

/** The keys of spec §9, Refresh token storage. */
const KEYS = {
  refreshToken: 'nhostRefreshToken',
  refreshTokenId: 'nhostRefreshTokenId',
  expiresAt: 'nhostRefreshTokenExpiresAt',
} as const;

export const SESSION_KEYS: readonly string[] = Object.values(KEYS);

/** The part of the session that outlives the page and is shared by all tabs. */
export type SessionStore = {
  refreshToken(): string | undefined;
  write(session: HeldSession): void;
  clear(): void;
};

export function createSessionStore(storage: KeyValueStorage): SessionStore {
  return {
    refreshToken: () => storage.getItem(KEYS.refreshToken) ?? undefined,
    write({ refreshToken, refreshTokenId, expiresAt }) {
      storage.setItem(KEYS.refreshToken, refreshToken);
      storage.setItem(KEYS.refreshTokenId, refreshTokenId);
      storage.setItem(KEYS.expiresAt, new Date(expiresAt).toISOString());
    },
    clear: () => SESSION_KEYS.forEach((key) => void storage.removeItem(key)),
  };
}
