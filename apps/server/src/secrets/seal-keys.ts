import { randomBytes } from 'node:crypto';
import { keyFile, replaceKeyFile } from './key-file.ts';

/** The key that closes, and behind it, while it is being replaced, the one before, which still opens. */
export type SealKeys = readonly [Buffer, ...Buffer[]];

const NAME = 'seal.key';
const KEY_BYTES = 32;

/** One key on each line, in hex. The first start makes the first. */
export async function loadSealKeys(folder: string): Promise<SealKeys> {
  const text = await keyFile(folder, NAME, async () => makeSealKey().toString('hex'));
  const [first, ...others] = text
    .trim()
    .split('\n')
    .map((line) => Buffer.from(line, 'hex'));
  if (first === undefined) throw new Error(`${NAME} holds no key`);
  return [first, ...others];
}

export async function replaceSealKeys(folder: string, keys: SealKeys): Promise<void> {
  await replaceKeyFile(folder, NAME, keys.map((key) => key.toString('hex')).join('\n'));
}

export function makeSealKey(): Buffer {
  return randomBytes(KEY_BYTES);
}
