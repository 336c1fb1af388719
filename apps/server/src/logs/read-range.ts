import { open } from 'node:fs/promises';
import { ifMissing } from './missing-file.ts';

export type FileRange = { bytes: Buffer; fileBytes: number };

/** Reads from `start`, or from `-start` bytes before the end if it is negative. Undefined if the file is missing. */
export async function readRange(
  path: string,
  start: number,
  maxBytes: number,
): Promise<FileRange | undefined> {
  const file = await open(path).catch(ifMissing(undefined));
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    const from = start < 0 ? Math.max(0, size + start) : start;
    const length = Math.max(0, Math.min(maxBytes, size - from));
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
    return { bytes: buffer.subarray(0, bytesRead), fileBytes: size };
  } finally {
    await file.close();
  }
}
