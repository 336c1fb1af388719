import type { FileStore } from './file-store.ts';
import type { OwnFiles } from './own-files.ts';

type RemoveOrphansDeps = {
  store: Pick<FileStore, 'list' | 'remove'>;
  files: Pick<OwnFiles, 'referencedKeys'>;
  signal: AbortSignal;
};

/**
 * Removes files that no row references: of uploads that a crash interrupted, and of deleted users. Files written after
 * `before` may belong to a running upload.
 */
export async function removeOrphans(
  before: number,
  { store, files, signal }: RemoveOrphansDeps,
): Promise<void> {
  for await (const batch of store.list()) {
    if (signal.aborted) return;
    const keys = batch.filter(({ writtenAt }) => writtenAt < before).map(({ key }) => key);
    const referenced = keys.length === 0 ? new Set() : await files.referencedKeys(keys);
    for (const key of keys) if (!referenced.has(key)) await store.remove(key);
  }
}
