import type { FileStore } from './file-store.ts';
import type { OwnFiles } from './own-files.ts';

type SweepDeps = {
  store: Pick<FileStore, 'list' | 'remove'>;
  files: Pick<OwnFiles, 'knownKeys'>;
  signal: AbortSignal;
};

/**
 * Removes bytes that no row names: of uploads that a crash cut off between bytes and row, of users who are gone.
 * Younger ones than `before` may belong to an upload that is under way.
 */
export async function sweepOrphans(
  before: number,
  { store, files, signal }: SweepDeps,
): Promise<void> {
  for await (const bunch of store.list()) {
    if (signal.aborted) return;
    const keys = bunch.filter(({ writtenAt }) => writtenAt < before).map(({ key }) => key);
    const known = keys.length === 0 ? new Set() : await files.knownKeys(keys);
    for (const key of keys) if (!known.has(key)) await store.remove(key);
  }
}
