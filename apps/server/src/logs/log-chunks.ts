import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';

/** A part of a segment, by its position before compression. */
export type Chunk = { start: number; size: number };

/** As much as a reader reads at once. */
export const CHUNK_BYTES = 64 * 1024;

const compressAsync = promisify(zstdCompress);
const decompressAsync = promisify(zstdDecompress);

export async function compress(bytes: Buffer): Promise<Buffer> {
  return await compressAsync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 6 } });
}

export async function decompress(content: Buffer): Promise<Buffer> {
  return await decompressAsync(content, { maxOutputLength: CHUNK_BYTES });
}

/** Divides bytes that begin at `start` of a segment. */
export function toChunks(bytes: Buffer, start: number): (Chunk & { bytes: Buffer })[] {
  return Array.from({ length: Math.ceil(bytes.length / CHUNK_BYTES) }, (_, index) => {
    const part = bytes.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES);
    return { start: start + index * CHUNK_BYTES, size: part.length, bytes: part };
  });
}

/** Which chunks of a segment to merge: small ones compress badly. */
export function planMerges(chunks: Chunk[]): Chunk[] {
  const merged: Chunk[] = [];
  let parts = 0;
  let current: Chunk = { start: 0, size: 0 };
  const end = () => {
    if (parts > 1) merged.push(current);
  };
  for (const { start, size } of chunks) {
    const fits = parts > 0 && current.size + size <= CHUNK_BYTES;
    if (!fits) end();
    current = fits ? { start: current.start, size: current.size + size } : { start, size };
    parts = fits ? parts + 1 : 1;
  }
  end();
  return merged;
}
