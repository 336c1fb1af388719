import { randomBytes } from 'node:crypto';
import type { KeyStore } from './key-store.ts';

/** The first key encrypts. During a rotation the previous key follows; it is only used to decrypt. */
export type SealKeys = readonly [Buffer, ...Buffer[]];

export const SEAL_KEY_FILE = 'seal.key';
/**
 * The key of the hashes that take the place of sealed values. A rotation keeps it: with other hashes, every app would look
 * edited and be redeployed.
 */
export const HASH_KEY_FILE = 'hash.key';
const KEY_BYTES = 32;

/** One key per line, in hex. The first start creates the first key. */
export async function loadSealKeys(store: KeyStore): Promise<SealKeys> {
  const text = await store.loadOrCreate(SEAL_KEY_FILE, async () =>
    generateSealKey().toString('hex'),
  );
  const [first, ...others] = text
    .trim()
    .split('\n')
    .map((line) => Buffer.from(line, 'hex'));
  if (first === undefined) throw new Error(`${SEAL_KEY_FILE} contains no key`);
  return [first, ...others];
}

export async function loadHashKey(store: KeyStore): Promise<Buffer> {
  const text = await store.loadOrCreate(HASH_KEY_FILE, async () =>
    generateSealKey().toString('hex'),
  );
  return Buffer.from(text.trim(), 'hex');
}

export async function replaceSealKeys(store: KeyStore, keys: SealKeys): Promise<void> {
  const text = keys.map((key) => key.toString('hex')).join('\n');
  await store.update(SEAL_KEY_FILE, async () => text);
}

export function generateSealKey(): Buffer {
  return randomBytes(KEY_BYTES);
}
