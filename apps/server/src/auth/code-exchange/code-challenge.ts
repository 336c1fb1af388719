import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** The SHA-256 of a verifier, in base64url. RFC 7636 names a plain method too, which protects nothing. */
const challenge = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

/** In every body and address that ends in a redirect: with one, the redirect carries a code. Wire §3. */
export const codeChallengeField = challenge.nullish().transform((given) => given ?? undefined);

export const codeVerifierField = z.string().regex(/^[A-Za-z0-9._~-]{43,128}$/);

export function meetsChallenge(verifier: string, codeChallenge: string): boolean {
  const computed = createHash('sha256').update(verifier).digest('base64url');
  return timingSafeEqual(sha256(computed), sha256(codeChallenge));
}

/** So that both sides have one length. */
function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
