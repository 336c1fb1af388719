import { open } from 'node:fs/promises';
import { absent } from './absent.ts';

export type Piece = { bytes: Buffer; fileBytes: number };

/** A piece of a file, from `start`, or so far from its end when `start` is negative. Nothing when it is gone. */
export async function readPiece(
  path: string,
  start: number,
  maxBytes: number,
): Promise<Piece | undefined> {
  const file = await open(path).catch(absent(undefined));
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    const from = start < 0 ? Math.max(0, size + start) : start;
    const wanted = Math.max(0, Math.min(maxBytes, size - from));
    const { buffer, bytesRead } = await file.read(Buffer.alloc(wanted), 0, wanted, from);
    return { bytes: buffer.subarray(0, bytesRead), fileBytes: size };
  } finally {
    await file.close();
  }
}
