import { createPrivateKey, type KeyObject } from 'node:crypto';
import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
} from 'jose';

export const SIGNING_ALGORITHM = 'ES256';

export type SigningKey = {
  keyId: string;
  /** The encoded header of every JWT signed with this key. */
  jwtHeader: string;
  privateKey: KeyObject;
  publicKey: CryptoKey;
  publicJwk: JWK;
};

export async function generateSigningKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  return await exportJWK(privateKey);
}

export async function readSigningKey(jwk: JWK): Promise<SigningKey> {
  const { d: _private, ...publicPart } = jwk;
  const keyId = await calculateJwkThumbprint(publicPart);
  return {
    keyId,
    jwtHeader: encodePart({ alg: SIGNING_ALGORITHM, kid: keyId }),
    privateKey: createPrivateKey({ key: jwk, format: 'jwk' }),
    publicKey: await importKey(publicPart),
    publicJwk: { ...publicPart, kid: keyId, alg: SIGNING_ALGORITHM, use: 'sig' },
  };
}

/** Encodes the header or the claims of a JWT. */
export function encodePart(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, SIGNING_ALGORITHM);
  if (key instanceof Uint8Array) throw new TypeError('The signing key is not an asymmetric key');
  return key;
}
