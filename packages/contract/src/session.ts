import { isRecord } from './type-guards.ts';

/** Contains the fields of spec-map 3.8 and the others that nhost-js expects. */
export type User = {
  id: string;
  displayName: string;
  email?: string;
  createdAt: string;
  isAnonymous: boolean;
  locale: string;
  roles: string[];
  defaultRole: string;
  avatarUrl: string;
  emailVerified: boolean;
  phoneNumberVerified: boolean;
  phoneNumber?: string;
  activeMfaType?: 'totp' | null;
  metadata: Record<string, unknown> | null;
};

export type Session = {
  accessToken: string;
  /** Seconds. */
  accessTokenExpiresIn: number;
  refreshToken: string;
  refreshTokenId: string;
  user: User;
};

export function isUser(value: unknown): value is User {
  return (
    isRecord(value) &&
    typeof value.id === 'string' &&
    typeof value.displayName === 'string' &&
    typeof value.createdAt === 'string' &&
    typeof value.isAnonymous === 'boolean' &&
    typeof value.locale === 'string' &&
    Array.isArray(value.roles) &&
    value.roles.every((role) => typeof role === 'string')
  );
}

export function isSession(value: unknown): value is Session {
  return (
    isRecord(value) &&
    typeof value.accessToken === 'string' &&
    typeof value.accessTokenExpiresIn === 'number' &&
    typeof value.refreshToken === 'string' &&
    isRecord(value.user)
  );
}
