import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { CryptoKey, JWK } from 'jose';
import type { KeyStore } from '../../secrets/key-store.ts';
import { Secret } from '../../secrets/secret.ts';
import { planKeyRotation, type StoredKey } from './key-rotation.ts';
import { generateSigningKey, readSigningKey, type SigningKey } from './signing-key.ts';

export type AuthKeys = {
  /** The current signing key. */
  signingKey(): SigningKey;
  /** Undefined for the id of an unknown or removed key. */
  publicKeyOf(keyId: string | undefined): CryptoKey | undefined;
  /** The same, but an unknown key may be one that another server has just created. */
  findPublicKey(keyId: string | undefined): Promise<CryptoKey | undefined>;
  /** Served at `/.well-known/jwks.json`: the current and the previous key. */
  publicJwks(): Promise<JWK[]>;
  /** Creates a new signing key if the current one is too old. Called at the start and daily. */
  rotateIfDue(): Promise<void>;
  /** The HMAC key that derives successors of refresh tokens and hashes one-time and recovery codes. */
  refreshKey: Secret;
};

type KeyDeps = { store: KeyStore; clock: { now(): number } };

const RING = 'signing-keys.json';
/** Earlier versions stored a single key here. */
const SINGLE_KEY = 'access-token.jwk';
/** However many tokens with unknown key ids arrive. */
const RELOAD_INTERVAL_MS = 1_000;

export async function loadAuthKeys({ store, clock }: KeyDeps): Promise<AuthKeys> {
  const refresh = await store.loadOrCreate('refresh-token.key', async () =>
    randomBytes(32).toString('hex'),
  );
  let ring = await readRing(await store.loadOrCreate(RING, createRing));
  let reloadedAt = Number.NEGATIVE_INFINITY;
  let nextReload: Promise<void> | undefined;
  await rotateIfDue();
  const publicKeyOf = (keyId: string | undefined) =>
    ring.find((key) => key.keyId === keyId)?.publicKey;
  return {
    signingKey: () => ring[0],
    publicKeyOf,
    async findPublicKey(keyId) {
      const known = publicKeyOf(keyId);
      if (known !== undefined || !store.isShared) return known;
      await reload();
      return publicKeyOf(keyId);
    },
    async publicJwks() {
      if (store.isShared && performance.now() >= reloadedAt + RELOAD_INTERVAL_MS) await reload();
      return ring.map(({ publicJwk }) => publicJwk);
    },
    rotateIfDue,
    refreshKey: new Secret(refresh),
  };

  async function createRing(): Promise<string> {
    const single = await store.read(SINGLE_KEY);
    const jwk = single === undefined ? await generateSigningKey() : (JSON.parse(single) as JWK);
    return JSON.stringify([{ createdAt: clock.now(), jwk }] satisfies StoredKey[]);
  }

  /** The key is stored before it is used: tokens must stay valid after a restart, and on other servers. */
  async function rotateIfDue(): Promise<void> {
    await store.loadOrCreate(RING, createRing);
    const text = await store.update(RING, async (stored) => {
      const { keysToKeep, needsNewKey } = planKeyRotation(
        JSON.parse(stored) as StoredKey[],
        clock.now(),
      );
      if (!needsNewKey) return undefined;
      return JSON.stringify([
        { createdAt: clock.now(), jwk: await generateSigningKey() },
        ...keysToKeep,
      ] satisfies StoredKey[]);
    });
    ring = await readRing(text);
  }

  /** Callers wait for a reload that begins after their call, and share it. */
  function reload(): Promise<void> {
    nextReload ??= reloadAfterInterval();
    return nextReload;
  }

  async function reloadAfterInterval(): Promise<void> {
    await delay(Math.max(0, reloadedAt + RELOAD_INTERVAL_MS - performance.now()));
    nextReload = undefined;
    reloadedAt = performance.now();
    ring = await readRing(await store.loadOrCreate(RING, createRing));
  }
}

async function readRing(text: string): Promise<[SigningKey, ...SigningKey[]]> {
  const stored = JSON.parse(text) as StoredKey[];
  const [newest, ...earlier] = await Promise.all(stored.map(({ jwk }) => readSigningKey(jwk)));
  if (newest === undefined) throw new TypeError('The key ring is empty');
  return [newest, ...earlier];
}
