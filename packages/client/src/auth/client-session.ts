import type { Session, User } from '@longshore/contract';

/** A session with the expiry time of its access token on this device's clock. Also the format of tab messages. */
export type ClientSession = {
  user: User;
  accessToken: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
  lifetimeSeconds: number;
  refreshToken: string;
  refreshTokenId: string;
  /** The session of a personal access token; the refresh timer is off (spec-map 4.1.18). */
  isPersonalAccessToken: boolean;
};

export function toClientSession(
  session: Session,
  now: number,
  isPersonalAccessToken = false,
): ClientSession {
  return {
    user: session.user,
    accessToken: session.accessToken,
    expiresAt: now + session.accessTokenExpiresIn * 1000,
    lifetimeSeconds: session.accessTokenExpiresIn,
    refreshToken: session.refreshToken,
    refreshTokenId: session.refreshTokenId,
    isPersonalAccessToken,
  };
}

/** When this tab, or the tab that sent the session, received it from the server. */
export function receivedAt({ expiresAt, lifetimeSeconds }: ClientSession): number {
  return expiresAt - lifetimeSeconds * 1000;
}

export function isExpired(session: ClientSession, now: number): boolean {
  return session.expiresAt <= now;
}

/** Messages between tabs can arrive out of order: an older session of the same user is ignored. */
export function isNewer(candidate: ClientSession, current: ClientSession): boolean {
  return candidate.user.id !== current.user.id || candidate.expiresAt >= current.expiresAt;
}
