import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { FileStore } from '../storage/file-store.ts';
import type { S3Store } from '../storage/s3-store.ts';

/** `unreadable`: keys of files that are missing or damaged in the source. */
export type MovedFiles = { files: number; bytes: number; unreadable: string[] };

/** A stored object whose digest is known. */
export type StoredContent = { key: string; bytes: number; sha256: string };

type CopyDeps = { from: Pick<FileStore, 'read'>; to: S3Store; signal: AbortSignal };

const BATCH_ROWS = 500;
/** Each has a part of a file in memory. */
const PARALLEL = 4;

/** Copies the files of users into the object store under the same keys. Those that an earlier run copied stay. */
export async function moveFiles({
  source,
  ...deps
}: CopyDeps & { source: pg.ClientBase }): Promise<MovedFiles> {
  await source.query(
    'declare moved_files no scroll cursor for select key, size::float8 as bytes, sha256 from storage.files',
  );
  const moved = await copyObjects(batches(), deps);
  await source.query('close moved_files');
  return moved;

  async function* batches(): AsyncGenerator<StoredContent[]> {
    for (;;) {
      const { rows } = await source.query<StoredContent>(`fetch ${BATCH_ROWS} from moved_files`);
      if (rows.length === 0) return;
      yield rows;
    }
  }
}

/** Copies objects under the same keys. Those that are there already stay. */
export async function copyObjects(
  batches: AsyncIterable<StoredContent[]>,
  deps: CopyDeps,
): Promise<MovedFiles> {
  const moved: MovedFiles = { files: 0, bytes: 0, unreadable: [] };
  for await (const batch of batches) {
    const waiting = batch.values();
    const work = async () => {
      for (const object of waiting) await copy(object);
    };
    await Promise.all(Array.from({ length: PARALLEL }, work));
  }
  return moved;

  async function copy(object: StoredContent): Promise<void> {
    if (!(await copyObject(object, deps))) return void moved.unreadable.push(object.key);
    moved.files += 1;
    moved.bytes += object.bytes;
  }
}

/** Returns false if the source does not have these bytes. */
export async function copyObject(
  { key, bytes, sha256 }: StoredContent,
  { from, to, signal }: CopyDeps,
): Promise<boolean> {
  signal.throwIfAborted();
  if ((await to.bytesOf(key)) === bytes) return true;
  const stream = await from.read(key);
  if (stream === undefined) return false;
  try {
    await to.writeAs(key, checked(stream, { sha256, signal }));
  } catch (error) {
    if (error instanceof Damaged) return false;
    throw error;
  }
  if ((await to.bytesOf(key)) !== bytes) throw new Error('A file did not arrive completely');
  return true;
}

class Damaged extends Error {}

/** Fails at the end if the bytes have another digest, so that nothing is stored. */
async function* checked(
  stream: AsyncIterable<Uint8Array>,
  { sha256, signal }: { sha256: string; signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const chunk of stream) {
    signal.throwIfAborted();
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest('hex') !== sha256) throw new Damaged();
}
