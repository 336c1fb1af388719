import { sign } from 'node:crypto';
import { encodePart, type SigningKey } from './signing-key.ts';

/**
 * A compact JWT. Signing takes a tenth of a millisecond and is synchronous: on the thread pool it would wait behind
 * password hashes.
 */
export function signJwt({ jwtHeader, privateKey }: SigningKey, claims: object): string {
  const signed = `${jwtHeader}.${encodePart(claims)}`;
  return `${signed}.${derToConcatenated(sign('sha256', Buffer.from(signed), privateKey)).toString('base64url')}`;
}

const NUMBER_BYTES = 32;

/**
 * Converts a DER signature into the concatenation of r and s, which ES256 requires (RFC 7518, section 3.4). Node's
 * `dsaEncoding` option does this too, but takes longer than the signature itself.
 */
function derToConcatenated(der: Buffer): Buffer {
  const bytes = Buffer.alloc(2 * NUMBER_BYTES);
  let at = 2;
  for (const end of [NUMBER_BYTES, 2 * NUMBER_BYTES]) {
    const length = der.readUInt8(at + 1);
    const number = der.subarray(at + 2, at + 2 + length);
    // A DER integer has one leading zero byte if its first bit is set, and no others.
    const digits = number.subarray(Math.max(0, length - NUMBER_BYTES));
    digits.copy(bytes, end - digits.length);
    at += 2 + length;
  }
  return bytes;
}
