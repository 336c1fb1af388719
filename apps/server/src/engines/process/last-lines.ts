import { open } from 'node:fs/promises';
import { createLineSplitter } from '../../processes/line-splitter.ts';

const LOOK_BACK_BYTES = 65_536;

/** The end of an output file, as evidence. A file that is gone has no lines. */
export async function lastLines(path: string, count: number): Promise<string[]> {
  const file = await open(path, 'r').catch(() => undefined);
  if (file === undefined) return [];
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - LOOK_BACK_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
    const found: string[] = [];
    const lines = createLineSplitter((line) => found.push(line));
    lines.push(buffer.subarray(0, bytesRead));
    lines.end();
    return found.filter((line) => line.trim() !== '').slice(-count);
  } finally {
    await file.close();
  }
}
