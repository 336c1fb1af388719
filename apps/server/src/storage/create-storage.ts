import type { Hono } from 'hono';
import { pause } from '../concurrency/pause.ts';
import type { Database } from '../db/database.ts';
import { copyObjects, type MovedFiles } from '../move/move-files.ts';
import type { KeyStore } from '../secrets/key-store.ts';
import { createBuckets } from './buckets.ts';
import type { StorageDeps } from './deps.ts';
import { openDiskStore } from './disk-store.ts';
import { type FileStore, withFormerStore } from './file-store.ts';
import { createOwnFiles, type OwnFiles } from './own-files.ts';
import { createSigner } from './presigned/signer.ts';
import { createQuota } from './quota.ts';
import { openS3Store, type S3StoreOptions } from './s3-store.ts';
import { createStorageService } from './service.ts';

export type StorageOptions = {
  db: Database;
  folder: string;
  /** Where files are stored instead of the folder. Those that are in the folder already stay there. */
  s3?: S3StoreOptions | undefined;
  /**
   * Of servers that share their state: the files in the folder, which only this one has, are copied to the object store in the
   * background. Called when it has them all.
   */
  onFilesShared?: ((shared: MovedFiles) => void) | undefined;
  keys: KeyStore;
  maxFileBytes: number;
  /** Per user. */
  quotaBytes: number;
} & Pick<StorageDeps, 'url' | 'version' | 'clock' | 'resolveCaller' | 'logError'>;

export type Storage = {
  service: Hono;
  /** To be run daily: removes files that no row references. */
  removeOrphans(signal: AbortSignal): Promise<void>;
  stop(): Promise<void>;
};

const DAY_MS = 86_400_000;
const COPY_AGAIN_MS = 30_000;
/** The time of a file may be slightly off the clock. */
const FILE_TIME_TOLERANCE_MS = 1_000;

/** The storage service. In the background, it removes files of uploads that an earlier server did not finish. */
export async function createStorage(options: StorageOptions): Promise<Storage> {
  const { db, clock, maxFileBytes, quotaBytes, s3 } = options;
  const disk = await openDiskStore(options.folder);
  const objects = s3 && openS3Store(s3);
  const store = objects === undefined ? disk : withFormerStore(objects, disk);
  const files = createOwnFiles(db, quotaBytes);
  const stopping = new AbortController();
  const removeBefore = (before: number, signal = stopping.signal) =>
    removeOrphans(before, { store, files, signal });
  // An object store may have running uploads of other servers.
  const unfinishedMs = s3 === undefined ? FILE_TIME_TOLERANCE_MS : DAY_MS;
  const cleanup = removeBefore(clock.now() - unfinishedMs).catch(options.logError);
  const sharing = shareFiles();
  const service = createStorageService({
    ...options,
    store,
    files,
    buckets: createBuckets(db, maxFileBytes),
    quota: createQuota({ maxBytes: quotaBytes, usedBytes: files.usedBytes }),
    signer: await createSigner(options.keys),
  });
  return {
    service,
    // No upload takes a day.
    removeOrphans: (signal) => removeBefore(clock.now() - DAY_MS, signal),
    async stop() {
      stopping.abort();
      await Promise.all([cleanup, sharing]);
    },
  };

  /** An object store that is down may come back. */
  async function shareFiles(): Promise<void> {
    const { onFilesShared, logError } = options;
    if (objects === undefined || onFilesShared === undefined) return;
    const { signal } = stopping;
    while (!signal.aborted) {
      try {
        return onFilesShared(await copyObjects(contents(), { from: disk, to: objects, signal }));
      } catch (error) {
        if (signal.aborted) return;
        logError(error);
        await pause(COPY_AGAIN_MS, { clock, signal }).catch(() => {});
      }
    }
  }

  async function* contents() {
    for await (const batch of disk.list()) yield files.contentsOf(batch.map(({ key }) => key));
  }
}

type RemoveOrphansDeps = {
  store: Pick<FileStore, 'list' | 'remove'>;
  files: Pick<OwnFiles, 'referencedKeys'>;
  signal: AbortSignal;
};

/**
 * Removes files that no row references: of uploads that a crash interrupted, and of deleted users. Files written after
 * `before` may belong to a running upload.
 */
async function removeOrphans(
  before: number,
  { store, files, signal }: RemoveOrphansDeps,
): Promise<void> {
  for await (const batch of store.list()) {
    if (signal.aborted) return;
    const keys = batch.filter(({ writtenAt }) => writtenAt < before).map(({ key }) => key);
    const referenced = keys.length === 0 ? new Set() : await files.referencedKeys(keys);
    for (const key of keys) {
      if (signal.aborted) return;
      if (!referenced.has(key)) await store.remove(key);
    }
  }
}
