import { randomBytes } from 'node:crypto';
import { mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ByteSpan, FileStore, StoredKey } from './file-store.ts';

const KEY_BYTES = 16;
const LIST_BATCH = 500;

/** Stores files in a folder that only this server uses. Unfinished files of an earlier server are removed first. */
export async function openDiskStore(folder: string): Promise<FileStore> {
  const incoming = join(folder, 'incoming');
  const kept = keptIn(folder);
  await rm(incoming, { recursive: true, force: true });
  for (const path of [incoming, kept]) await mkdir(path, { recursive: true, mode: 0o700 });
  return {
    async write(chunks) {
      const key = randomBytes(KEY_BYTES).toString('hex');
      const unfinished = join(incoming, key);
      try {
        await writeAndSync(unfinished, chunks);
        await rename(unfinished, join(kept, key));
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
      await syncFolder(kept);
      return key;
    },
    ...readDiskStore(folder),
    remove: (key) => rm(join(kept, key), { force: true }),
    list: () => listKeys(kept),
  };
}

/** Changes nothing in the folder. */
export function readDiskStore(folder: string): Pick<FileStore, 'read'> {
  return { read: (key, span) => readSpan(join(keptIn(folder), key), span) };
}

function keptIn(folder: string): string {
  return join(folder, 'kept');
}

async function writeAndSync(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    await handle.writeFile(chunks);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Without this, a power failure could lose the directory entry of a file that is written. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function readSpan(path: string, span?: ByteSpan) {
  const handle = await open(path).catch(ignoreMissing);
  if (handle === undefined) return undefined;
  return Readable.toWeb(handle.createReadStream(span)) as ReadableStream<Uint8Array>;
}

async function* listKeys(folder: string): AsyncGenerator<StoredKey[]> {
  let batch: StoredKey[] = [];
  for await (const { name } of await opendir(folder)) {
    const found = await stat(join(folder, name)).catch(ignoreMissing);
    if (found !== undefined) batch.push({ key: name, writtenAt: found.mtimeMs });
    if (batch.length < LIST_BATCH) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
