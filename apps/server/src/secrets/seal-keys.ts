import { randomBytes } from 'node:crypto';
import { loadOrCreateKeyFile, replaceKeyFile } from './key-file.ts';

/** The first key encrypts. During a rotation the previous key follows; it is only used to decrypt. */
export type SealKeys = readonly [Buffer, ...Buffer[]];

const NAME = 'seal.key';
const KEY_BYTES = 32;

/** One key per line, in hex. The first start creates the first key. */
export async function loadSealKeys(folder: string): Promise<SealKeys> {
  const text = await loadOrCreateKeyFile(folder, NAME, async () =>
    generateSealKey().toString('hex'),
  );
  const [first, ...others] = text
    .trim()
    .split('\n')
    .map((line) => Buffer.from(line, 'hex'));
  if (first === undefined) throw new Error(`${NAME} contains no key`);
  return [first, ...others];
}

export async function replaceSealKeys(folder: string, keys: SealKeys): Promise<void> {
  await replaceKeyFile(folder, NAME, keys.map((key) => key.toString('hex')).join('\n'));
}

export function generateSealKey(): Buffer {
  return randomBytes(KEY_BYTES);
}
