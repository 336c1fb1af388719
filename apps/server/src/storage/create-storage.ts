import type { Hono } from 'hono';
import type { Database } from '../db/database.ts';
import { createBuckets } from './buckets.ts';
import type { StorageDeps } from './deps.ts';
import { openDiskStore } from './disk-store.ts';
import { createOwnFiles } from './own-files.ts';
import { createSigner } from './presigned/signer.ts';
import { createQuota } from './quota.ts';
import { createStorageService } from './service.ts';
import { sweepOrphans } from './sweep.ts';

export type StorageOptions = {
  db: Database;
  folder: string;
  keysFolder: string;
  maxFileBytes: number;
  /** How much each user may store. */
  quotaBytes: number;
} & Pick<StorageDeps, 'url' | 'version' | 'clock' | 'resolveCaller' | 'logError'>;

export type Storage = {
  service: Hono;
  /** What is to be done once a day: remove bytes that no row names. */
  tidy(): Promise<void>;
  stop(): Promise<void>;
};

const DAY_MS = 86_400_000;
/** File systems tell times a little late. */
const FILE_TIMES_MS = 1_000;

/** The storage service with its parts. What an earlier server left behind is removed meanwhile. */
export async function createStorage(options: StorageOptions): Promise<Storage> {
  const { db, clock, maxFileBytes, quotaBytes } = options;
  const store = await openDiskStore(options.folder);
  const files = createOwnFiles(db, quotaBytes);
  const stopping = new AbortController();
  const sweep = (before: number) => sweepOrphans(before, { store, files, signal: stopping.signal });
  const sweeping = sweep(clock.now() - FILE_TIMES_MS).catch(options.logError);
  const service = createStorageService({
    ...options,
    store,
    files,
    buckets: createBuckets(db, maxFileBytes),
    quota: createQuota({ maxBytes: quotaBytes, usedBytes: files.usedBytes }),
    signer: await createSigner(options.keysFolder),
  });
  return {
    service,
    // No upload takes a day.
    tidy: () => sweep(clock.now() - DAY_MS),
    async stop() {
      stopping.abort();
      await sweeping;
    },
  };
}
