import type { ClientSession } from '../auth/client-session.ts';
import type { KeyValueStorage } from '../ports.ts';

/** The specified keys (spec-map 9.3.6), and one that is only set for personal access tokens. */
const KEYS = {
  refreshToken: 'nhostRefreshToken',
  refreshTokenId: 'nhostRefreshTokenId',
  expiresAt: 'nhostRefreshTokenExpiresAt',
  isPersonalAccessToken: 'nhostRefreshTokenIsPAT',
} as const;

export const SESSION_KEYS: readonly string[] = Object.values(KEYS);

export type StoredToken = Pick<ClientSession, 'refreshToken' | 'isPersonalAccessToken'>;

/** The stored part of the session, shared by all tabs. */
export type SessionStore = {
  /** Until it resolves, the store is empty. */
  open(): Promise<void>;
  token(): StoredToken | undefined;
  write(session: ClientSession): void;
  clear(): void;
};

export function createSessionStore(
  storage: KeyValueStorage | Promise<KeyValueStorage>,
): SessionStore {
  let opened: KeyValueStorage | undefined;
  return {
    async open() {
      opened = await storage;
    },
    token() {
      const refreshToken = opened?.getItem(KEYS.refreshToken);
      if (!refreshToken) return undefined;
      const isPersonalAccessToken = opened?.getItem(KEYS.isPersonalAccessToken) === 'true';
      return { refreshToken, isPersonalAccessToken };
    },
    write({ refreshToken, refreshTokenId, expiresAt, isPersonalAccessToken }) {
      opened?.setItem(KEYS.refreshToken, refreshToken);
      opened?.setItem(KEYS.refreshTokenId, refreshTokenId);
      opened?.setItem(KEYS.expiresAt, new Date(expiresAt).toISOString());
      if (isPersonalAccessToken) opened?.setItem(KEYS.isPersonalAccessToken, 'true');
      else opened?.removeItem(KEYS.isPersonalAccessToken);
    },
    clear: () => SESSION_KEYS.forEach((key) => void opened?.removeItem(key)),
  };
}
