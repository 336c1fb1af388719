import { createHash, timingSafeEqual } from 'node:crypto';
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { profileOfClaims } from './claims.ts';
import { createDiscovery, type IssuerMetadata } from './discovery.ts';
import type { Profile, ProviderClient } from './provider.ts';

export type IdTokens = {
  metadata(): Promise<IssuerMetadata>;
  /** Whom a token speaks of. Throws for one that is forged, old, for somebody else, or of another nonce. */
  verify(idToken: string, nonce: string | undefined): Promise<Profile>;
};

type IdTokenDeps = { fetch: typeof fetch; clock: { now(): number } };

/** Only signatures anybody can check; never a shared secret, never none. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384', 'EdDSA'];
const CLOCK_SKEW_SECONDS = 30;
const KEYS_DEADLINE_MS = 10_000;
const KEYS_KEPT_FOR_MS = 600_000;

/** The ID tokens of one issuer that were made for us. Its keys are fetched when needed, and kept. */
export function createIdTokens(client: ProviderClient, deps: IdTokenDeps): IdTokens {
  const metadata = createDiscovery(client.url, deps);
  let keys: { address: string; find: JWTVerifyGetKey } | undefined;
  return {
    metadata,
    async verify(idToken, nonce) {
      const { issuer, jwks_uri } = await metadata();
      const { payload } = await jwtVerify(idToken, keysAt(jwks_uri), {
        issuer,
        audience: client.clientId,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_SKEW_SECONDS,
        requiredClaims: ['sub', 'iat', 'exp'],
        currentDate: new Date(deps.clock.now()),
      });
      if (!isNonce(payload.nonce, nonce)) throw new Error('The nonce is another one.');
      return profileOfClaims(payload);
    },
  };

  function keysAt(address: string): JWTVerifyGetKey {
    if (keys?.address === address) return keys.find;
    const find = createRemoteJWKSet(new URL(address), {
      timeoutDuration: KEYS_DEADLINE_MS,
      cacheMaxAge: KEYS_KEPT_FOR_MS,
      [customFetch]: deps.fetch,
    });
    keys = { address, find };
    return find;
  }
}

const SHA256_HEX = /^[0-9a-f]{64}$/;

/**
 * The public clients hand their provider the SHA-256 of the nonce and us the nonce itself; others hand both the
 * same. A claim that looks like a hash is taken for one, so that who stole the token cannot pass with what it says.
 */
function isNonce(claim: unknown, nonce: string | undefined): boolean {
  if (claim === undefined && nonce === undefined) return true;
  if (typeof claim !== 'string' || nonce === undefined) return false;
  const hash = createHash('sha256').update(nonce).digest();
  const claimed = SHA256_HEX.test(claim)
    ? Buffer.from(claim, 'hex')
    : createHash('sha256').update(claim).digest();
  return timingSafeEqual(hash, claimed);
}
