import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/**
 * A PKCE code challenge: the SHA-256 of the verifier, in base64url. The `plain` method of RFC 7636 is not supported
 * because it reveals the verifier.
 */
const challenge = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

/** Optional in every request that ends in a redirect. With it, the redirect carries a code instead of a token. */
export const codeChallengeField = challenge.nullish().transform((value) => value ?? undefined);

export const codeVerifierField = z.string().regex(/^[A-Za-z0-9._~-]{43,128}$/);

export function matchesChallenge(verifier: string, codeChallenge: string): boolean {
  const computed = createHash('sha256').update(verifier).digest('base64url');
  return timingSafeEqual(sha256(computed), sha256(codeChallenge));
}

/** Makes both inputs the same length, which `timingSafeEqual` requires. */
function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
