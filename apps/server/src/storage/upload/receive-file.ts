import { createHash } from 'node:crypto';
import { detectType, HEAD_BYTES } from '../detect-type.ts';
import type { FileStore } from '../file-store.ts';
import type { FileContent } from '../own-files.ts';
import type { Reservation } from '../quota.ts';
import { fileTooBig, StorageProblem } from '../storage-problem.ts';

export type ReceivedFile = FileContent & { filename: string | undefined };

type ReceiveDeps = { store: FileStore; maxBytes: number; reservation: Reservation };

/** Stores a file while it arrives; counts and hashes its bytes and detects its type. */
export async function receiveFile(
  bytes: AsyncIterable<Uint8Array>,
  filename: string | undefined,
  { store, maxBytes, reservation }: ReceiveDeps,
): Promise<ReceivedFile> {
  const hash = createHash('sha256');
  const head = Buffer.alloc(HEAD_BYTES);
  let size = 0;
  const key = await store.write(inspected()).catch(reportFullDisk);
  return {
    key,
    size,
    filename,
    sha256: hash.digest('hex'),
    mimeType: await detectType(head.subarray(0, Math.min(size, HEAD_BYTES))),
  };

  async function* inspected(): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      if (size < HEAD_BYTES) head.set(chunk.subarray(0, HEAD_BYTES - size), size);
      size += chunk.length;
      if (size > maxBytes) throw fileTooBig(filename ?? '', size, maxBytes);
      reservation.add(chunk.length);
      hash.update(chunk);
      yield chunk;
    }
  }
}

function reportFullDisk(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ENOSPC' && error.code !== 'EDQUOT') throw error;
  throw new StorageProblem(507, 'the server has no disk space left', { cause: error });
}
