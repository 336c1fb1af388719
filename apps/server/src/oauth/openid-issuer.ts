import { createHash, timingSafeEqual } from 'node:crypto';
import {
  createRemoteJWKSet,
  customFetch,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import { z } from 'zod';
import { OAuthFailure } from './bounded-fetch.ts';
import { requestOptions, withOAuthFailures } from './oauth-client.ts';

const Metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url({ protocol: /^https?$/ }),
  token_endpoint: z.url({ protocol: /^https?$/ }),
  jwks_uri: z.url({ protocol: /^https?$/ }),
});

export type IssuerMetadata = z.infer<typeof Metadata>;

/** An OpenID Connect issuer, as used by one client. */
export type OpenIdIssuer = {
  /** Discovered endpoints. Cached for an hour. */
  metadata(): Promise<IssuerMetadata>;
  /**
   * The claims of an ID token. Throws for one that is forged, expired, issued to another client, or has another
   * nonce.
   */
  verifyIdToken(idToken: string, nonce: string | undefined): Promise<JWTPayload>;
};

type IssuerDeps = { fetch: typeof fetch; clock: { now(): number } };

/** Asymmetric algorithms only: never a shared secret, never `none`. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384', 'EdDSA'];
const CLOCK_SKEW_SECONDS = 30;
const JWKS_TIMEOUT_MS = 10_000;
const JWKS_CACHED_FOR_MS = 600_000;
const METADATA_CACHED_FOR_MS = 3_600_000;

export function createOpenIdIssuer(
  { url, clientId }: { url: string; clientId: string },
  { fetch, clock }: IssuerDeps,
): OpenIdIssuer {
  let cachedMetadata: { discovery: Promise<IssuerMetadata>; until: number } | undefined;
  let cachedKeys: { jwksUri: string; findKey: JWTVerifyGetKey } | undefined;
  return {
    metadata,
    async verifyIdToken(idToken, nonce) {
      const { issuer, jwks_uri } = await metadata();
      const { payload } = await jwtVerify(idToken, keysAt(jwks_uri), {
        issuer,
        audience: clientId,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_SKEW_SECONDS,
        requiredClaims: ['sub', 'iat', 'exp'],
        currentDate: new Date(clock.now()),
      });
      if (!matchesNonce(payload.nonce, nonce)) throw new Error('The nonce does not match.');
      return payload;
    },
  };

  function metadata(): Promise<IssuerMetadata> {
    if (cachedMetadata !== undefined && clock.now() < cachedMetadata.until)
      return cachedMetadata.discovery;
    const entry = { discovery: discover(url, fetch), until: clock.now() + METADATA_CACHED_FOR_MS };
    cachedMetadata = entry;
    // A failure is not cached.
    entry.discovery.catch(() => {
      if (cachedMetadata === entry) cachedMetadata = undefined;
    });
    return entry.discovery;
  }

  function keysAt(jwksUri: string): JWTVerifyGetKey {
    if (cachedKeys?.jwksUri === jwksUri) return cachedKeys.findKey;
    const findKey = createRemoteJWKSet(new URL(jwksUri), {
      timeoutDuration: JWKS_TIMEOUT_MS,
      cacheMaxAge: JWKS_CACHED_FOR_MS,
      [customFetch]: fetch,
    });
    cachedKeys = { jwksUri, findKey };
    return findKey;
  }
}

async function discover(url: string, fetch: IssuerDeps['fetch']): Promise<IssuerMetadata> {
  const oauth = await import('oauth4webapi');
  const options = await requestOptions(fetch);
  const discovered = await withOAuthFailures(async () => {
    const response = await oauth.discoveryRequest(new URL(url), options);
    // The operator may have left out the slash that the issuer's identifier ends with.
    return await oauth
      .processDiscoveryResponse(new URL(url), response.clone())
      .catch(() => oauth.processDiscoveryResponse(new URL(`${url}/`), response));
  });
  const metadata = Metadata.safeParse(discovered);
  if (!metadata.success)
    throw new OAuthFailure(
      'invalid-response',
      'The provider published metadata without usable endpoints',
    );
  return metadata.data;
}

const SHA256_HEX = /^[0-9a-f]{64}$/;

/**
 * nhost-js sends the SHA-256 of the nonce to the provider and the nonce itself to Longshore; other clients send the
 * same value to both. A claim that looks like a hash is compared as one, so that an attacker with a stolen token cannot
 * send the claim itself as the nonce.
 */
function matchesNonce(claim: unknown, nonce: string | undefined): boolean {
  if (claim === undefined && nonce === undefined) return true;
  if (typeof claim !== 'string' || nonce === undefined) return false;
  const expected = createHash('sha256').update(nonce).digest();
  const claimed = SHA256_HEX.test(claim)
    ? Buffer.from(claim, 'hex')
    : createHash('sha256').update(claim).digest();
  return timingSafeEqual(expected, claimed);
}
