import type { Session, User } from '@longshore/contract';

/** A session together with the moment its access token ends on our clock. */
export type HeldSession = {
  user: User;
  accessToken: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
  lifetimeSeconds: number;
  refreshToken: string;
  refreshTokenId: string;
  /** Signed in by a personal access token: the timer is off. Spec §4. */
  isPersonalAccessToken: boolean;
};

export function holdSession(
  session: Session,
  now: number,
  isPersonalAccessToken = false,
): HeldSession {
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

/** When the session came, to this tab or to the one that handed it over. */
export function arrivedAt({ expiresAt, lifetimeSeconds }: HeldSession): number {
  return expiresAt - lifetimeSeconds * 1000;
}

export function isExpired(session: HeldSession, now: number): boolean {
  return session.expiresAt <= now;
}

/** Messages of tabs can overtake each other; the older session of the same person loses. */
export function isNewer(offered: HeldSession, held: HeldSession): boolean {
  return offered.user.id !== held.user.id || offered.expiresAt >= held.expiresAt;
}
