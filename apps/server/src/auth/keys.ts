import { randomBytes } from 'node:crypto';
import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
} from 'jose';
import { keyFile } from '../secrets/key-file.ts';
import { Secret } from '../secrets/secret.ts';

export const SIGNING_ALGORITHM = 'ES256';

export type AuthKeys = {
  keyId: string;
  privateKey: CryptoKey;
  publicKey: CryptoKey;
  /** What `/.well-known/jwks.json` serves. */
  publicJwk: JWK;
  /** Derives the successor of a refresh token. */
  refreshKey: Secret;
};

export async function loadAuthKeys(folder: string): Promise<AuthKeys> {
  const signing = JSON.parse(await keyFile(folder, 'access-token.jwk', makeSigningKey)) as JWK;
  const refresh = await keyFile(folder, 'refresh-token.key', async () =>
    randomBytes(32).toString('hex'),
  );
  const { d: _private, ...publicPart } = signing;
  const keyId = await calculateJwkThumbprint(publicPart);
  return {
    keyId,
    privateKey: await importKey(signing),
    publicKey: await importKey(publicPart),
    publicJwk: { ...publicPart, kid: keyId, alg: SIGNING_ALGORITHM, use: 'sig' },
    refreshKey: new Secret(refresh),
  };
}

async function makeSigningKey(): Promise<string> {
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  return JSON.stringify(await exportJWK(privateKey));
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, SIGNING_ALGORITHM);
  if (key instanceof Uint8Array) throw new TypeError('The signing key is not an asymmetric key');
  return key;
}
