import { hash } from 'node:crypto';
import { type CryptoKey, errors, jwtVerify } from 'jose';
import { createBoundedCache } from '../cache/bounded-cache.ts';
import type { AuthKeys } from './keys/keys.ts';
import { signJwt } from './keys/sign-jwt.ts';
import { SIGNING_ALGORITHM } from './keys/signing-key.ts';
import type { UserRow } from './users.ts';

const CLAIMS = 'https://hasura.io/jwt/claims';

/** The content of a valid access token. */
export type Identified = {
  userId: string;
  defaultRole: string;
  allowedRoles: string[];
  /** The session it was issued for: the id of the refresh token. */
  sessionId: string | undefined;
  /** Milliseconds since the epoch. */
  expiresAt: number;
};

export type Verification =
  | { kind: 'valid'; identified: Identified }
  | { kind: 'expired' }
  | { kind: 'forged' };

export type AccessTokens = {
  ttlSeconds: number;
  /** `isElevated`: the user has just used a security key. */
  sign(user: UserRow, options?: { isElevated?: boolean; sessionId?: string }): string;
  verify(token: string): Promise<Verification>;
};

type AccessTokenDeps = {
  keys: AuthKeys;
  issuer: string;
  ttlSeconds: number;
  clock: { now(): number };
};

type VerifiedToken = { keyId: string | undefined; identified: Identified };

const MAX_VERIFIED = 1_000;

/** The token may be valid. */
class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable';
}

export function createAccessTokens({
  keys,
  issuer,
  ttlSeconds,
  clock,
}: AccessTokenDeps): AccessTokens {
  const verified = createBoundedCache<VerifiedToken>(MAX_VERIFIED);
  return {
    ttlSeconds,
    sign(user, { isElevated = false, sessionId } = {}) {
      const issuedAt = Math.floor(clock.now() / 1_000);
      return signJwt(keys.signingKey(), {
        [CLAIMS]: claimsOf(user, isElevated),
        ...(sessionId && { sid: sessionId }),
        sub: user.id,
        iss: issuer,
        iat: issuedAt,
        exp: issuedAt + ttlSeconds,
      });
    },
    async verify(token) {
      try {
        const { keyId, identified } = await verifySignature(token);
        if (keys.publicKeyOf(keyId) === undefined) return { kind: 'forged' };
        const isExpired = identified.expiresAt <= clock.now();
        return isExpired ? { kind: 'expired' } : { kind: 'valid', identified };
      } catch (error) {
        if (error instanceof KeysUnavailable) throw error.cause;
        return { kind: error instanceof errors.JWTExpired ? 'expired' : 'forged' };
      }
    },
  };

  /** A client sends the same token with every request; its signature is verified once. */
  async function verifySignature(token: string): Promise<VerifiedToken> {
    const tokenHash = hash('sha256', token, 'base64');
    const known = verified.get(tokenHash);
    if (known !== undefined) return known;
    const { payload, protectedHeader } = await jwtVerify(token, ({ kid }) => findPublicKey(kid), {
      issuer,
      algorithms: [SIGNING_ALGORITHM],
      requiredClaims: ['sub', 'exp'],
      currentDate: new Date(clock.now()),
    });
    const claims = payload[CLAIMS] as ReturnType<typeof claimsOf>;
    const verifiedToken = {
      keyId: protectedHeader.kid,
      identified: {
        userId: claims['x-hasura-user-id'],
        defaultRole: claims['x-hasura-default-role'],
        allowedRoles: claims['x-hasura-allowed-roles'],
        sessionId: typeof payload.sid === 'string' ? payload.sid : undefined,
        expiresAt: (payload.exp ?? 0) * 1_000,
      },
    };
    verified.set(tokenHash, verifiedToken);
    return verifiedToken;
  }

  async function findPublicKey(keyId: string | undefined): Promise<CryptoKey> {
    const key = await keys.findPublicKey(keyId).catch((cause) => {
      throw new KeysUnavailable('The signing keys cannot be read', { cause });
    });
    if (key === undefined) throw new errors.JWKSNoMatchingKey();
    return key;
  }
}

/** The claims that nhost-js reads. All values are strings, except the list of roles. */
function claimsOf(user: UserRow, isElevated: boolean) {
  return {
    'x-hasura-user-id': user.id,
    'x-hasura-default-role': user.default_role,
    'x-hasura-allowed-roles': [...new Set([...user.roles, user.default_role])],
    'x-hasura-user-is-anonymous': String(user.is_anonymous),
    ...(isElevated ? { 'x-hasura-auth-elevated': user.id } : {}),
  };
}
