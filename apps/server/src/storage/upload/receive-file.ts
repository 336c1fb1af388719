import { createHash } from 'node:crypto';
import { detectType, HEAD_BYTES } from '../detect-type.ts';
import type { FileStore } from '../file-store.ts';
import type { FileContent } from '../own-files.ts';
import type { Allowance } from '../quota.ts';
import { fileTooBig, StorageProblem } from '../storage-problem.ts';

export type ReceivedFile = FileContent & { filename: string | undefined };

type ReceiveDeps = { store: FileStore; maxBytes: number; allowance: Allowance };

/** Takes a file into the store while it arrives: counted, hashed and looked at on the way. */
export async function receiveFile(
  bytes: AsyncIterable<Uint8Array>,
  filename: string | undefined,
  { store, maxBytes, allowance }: ReceiveDeps,
): Promise<ReceivedFile> {
  const hash = createHash('sha256');
  const head = Buffer.alloc(HEAD_BYTES);
  let size = 0;
  const key = await store.write(looked()).catch(rethrow);
  return {
    key,
    size,
    filename,
    sha256: hash.digest('hex'),
    mimeType: await detectType(head.subarray(0, Math.min(size, HEAD_BYTES))),
  };

  async function* looked(): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      if (size < HEAD_BYTES) head.set(chunk.subarray(0, HEAD_BYTES - size), size);
      size += chunk.length;
      if (size > maxBytes) throw fileTooBig(filename ?? '', size, maxBytes);
      allowance.take(chunk.length);
      hash.update(chunk);
      yield chunk;
    }
  }
}

function rethrow(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ENOSPC' && error.code !== 'EDQUOT') throw error;
  throw new StorageProblem(507, 'the server has no space left', { cause: error });
}
