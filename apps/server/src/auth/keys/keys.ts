import { randomBytes } from 'node:crypto';
import type { CryptoKey, JWK } from 'jose';
import { loadOrCreateKeyFile, readKeyFile, replaceKeyFile } from '../../secrets/key-file.ts';
import { Secret } from '../../secrets/secret.ts';
import { planKeyRotation, type StoredKey } from './key-rotation.ts';
import { generateSigningKey, readSigningKey, type SigningKey } from './signing-key.ts';

export type AuthKeys = {
  /** The current signing key. */
  signingKey(): SigningKey;
  /** Undefined for the id of an unknown or removed key. */
  publicKeyOf(keyId: string | undefined): CryptoKey | undefined;
  /** Served at `/.well-known/jwks.json`: the current and the previous key. */
  publicJwks(): JWK[];
  /** Creates a new signing key if the current one is too old. Called at the start and daily. */
  rotateIfDue(): Promise<void>;
  /** The HMAC key that derives successors of refresh tokens and hashes one-time and recovery codes. */
  refreshKey: Secret;
};

type KeyDeps = { folder: string; clock: { now(): number } };

const RING_FILE = 'signing-keys.json';
/** Earlier versions stored a single key here. */
const SINGLE_KEY_FILE = 'access-token.jwk';

export async function loadAuthKeys({ folder, clock }: KeyDeps): Promise<AuthKeys> {
  const refresh = await loadOrCreateKeyFile(folder, 'refresh-token.key', async () =>
    randomBytes(32).toString('hex'),
  );
  let ring = await readRing(await loadOrCreateKeyFile(folder, RING_FILE, createRing));
  await rotateIfDue();
  return {
    signingKey: () => ring[0],
    publicKeyOf: (keyId) => ring.find((key) => key.keyId === keyId)?.publicKey,
    publicJwks: () => ring.map(({ publicJwk }) => publicJwk),
    rotateIfDue,
    refreshKey: new Secret(refresh),
  };

  async function createRing(): Promise<string> {
    const single = await readKeyFile(folder, SINGLE_KEY_FILE);
    const jwk = single === undefined ? await generateSigningKey() : (JSON.parse(single) as JWK);
    return JSON.stringify([{ createdAt: clock.now(), jwk }] satisfies StoredKey[]);
  }

  async function rotateIfDue(): Promise<void> {
    const text = await loadOrCreateKeyFile(folder, RING_FILE, createRing);
    const { keysToKeep, needsNewKey } = planKeyRotation(
      JSON.parse(text) as StoredKey[],
      clock.now(),
    );
    if (!needsNewKey) return;
    const next = JSON.stringify([
      { createdAt: clock.now(), jwk: await generateSigningKey() },
      ...keysToKeep,
    ] satisfies StoredKey[]);
    // Stored before it is used: tokens must stay valid after a restart.
    await replaceKeyFile(folder, RING_FILE, next);
    ring = await readRing(next);
  }
}

async function readRing(text: string): Promise<[SigningKey, ...SigningKey[]]> {
  const stored = JSON.parse(text) as StoredKey[];
  const [newest, ...earlier] = await Promise.all(stored.map(({ jwk }) => readSigningKey(jwk)));
  if (newest === undefined) throw new TypeError('The key ring is empty');
  return [newest, ...earlier];
}
