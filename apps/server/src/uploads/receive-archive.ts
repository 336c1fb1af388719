import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { ArchiveProblem } from './archive-problem.ts';
import { type ArchiveLimits, createEntryRules } from './entry-rules.ts';
import { readTar } from './read-tar.ts';
import { TAR_END, tarHeader, tarPadding } from './write-tar.ts';

export type ReceiveLimits = ArchiveLimits & { maxReceivedBytes: number };

/** `digest`: of the bytes that arrived. */
export type ReceivedArchive = { digest: string; bytes: number; files: number };

const CHUNK_BYTES = 262_144;
/** The archive is read once or twice, so speed counts. */
const FAST = 1;

/**
 * Writes an archive to a new file as it arrives, entry by entry in a form that every tar understands in the same way. Only
 * what was checked is in the file.
 */
export async function receiveArchive(
  body: AsyncIterable<Uint8Array>,
  path: string,
  { limits, signal }: { limits: ReceiveLimits; signal: AbortSignal },
): Promise<ReceivedArchive> {
  const hash = createHash('sha256');
  let [bytes, files] = [0, 0];

  async function* received(): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > limits.maxReceivedBytes) {
        const megabytes = Math.floor(limits.maxReceivedBytes / 1024 ** 2);
        throw new ArchiveProblem(`The archive is larger than ${megabytes} MB`, {
          isTooLarge: true,
        });
      }
      hash.update(chunk);
      yield chunk;
    }
  }

  async function* checked(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const check = createEntryRules(limits);
    let padding: Buffer = Buffer.alloc(0);
    for await (const part of readTar(chunks)) {
      if ('bytes' in part) {
        yield part.bytes;
        continue;
      }
      const entry = check(part.header);
      yield padding;
      padding = Buffer.alloc(0);
      if (entry === undefined) continue;
      if (entry.kind === 'file') files += 1;
      padding = tarPadding(entry.size);
      yield tarHeader(entry);
    }
    if (files === 0) throw new ArchiveProblem('The archive contains no files');
    yield Buffer.concat([padding, TAR_END]);
  }

  await pipeline(
    received,
    createGunzip({ chunkSize: CHUNK_BYTES }),
    checked,
    createGzip({ level: FAST, chunkSize: CHUNK_BYTES }),
    createWriteStream(path, { flags: 'wx', mode: 0o644, flush: true }),
    { signal },
  ).catch((error: NodeJS.ErrnoException) => {
    throw gzipProblem(error) ?? error;
  });
  return { digest: hash.digest('hex'), bytes, files };
}

function gzipProblem(cause: NodeJS.ErrnoException): ArchiveProblem | undefined {
  if (cause.code === 'Z_BUF_ERROR') {
    return new ArchiveProblem('The archive is incomplete: its end is missing', { cause });
  }
  const isDamaged = cause.code === 'Z_DATA_ERROR' || cause.code === 'Z_NEED_DICT';
  return isDamaged
    ? new ArchiveProblem('The file is not a .tar.gz archive, or is damaged', { cause })
    : undefined;
}
