import type { Session, User } from '@longshore/contract';

/** A registered user with verified e-mail. */
export function buildUser(changes: Partial<User> = {}): User {
  const email = changes.email ?? 'ada@example.com';
  return {
    id: '11111111-1111-4111-8111-111111111111',
    displayName: email,
    email,
    createdAt: '2025-01-01T00:00:00.000Z',
    isAnonymous: false,
    locale: 'en',
    roles: ['user', 'me'],
    defaultRole: 'user',
    avatarUrl: '',
    emailVerified: true,
    phoneNumberVerified: false,
    metadata: null,
    ...changes,
  };
}

/** A session of that user. */
export function buildSession(changes: Partial<Session> = {}): Session {
  return {
    accessToken: 'access-1',
    accessTokenExpiresIn: 900,
    refreshToken: 'refresh-1',
    refreshTokenId: 'refresh-id-1',
    user: buildUser(),
    ...changes,
  };
}
