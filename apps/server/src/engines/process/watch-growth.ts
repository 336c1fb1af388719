import { unwatchFile, watch, watchFile } from 'node:fs';

const LOOK_AGAIN_MS = 1_000;

/** Calls back when a file changes. Answers how to stop. */
export function watchGrowth(path: string, changed: () => void): () => void {
  try {
    const watcher = watch(path, { persistent: false }, changed);
    watcher.on('error', () => watcher.close());
    return () => watcher.close();
  } catch {
    // The machine has no watches left to give: looking from time to time is better than no logs.
    watchFile(path, { interval: LOOK_AGAIN_MS, persistent: false }, changed);
    return () => unwatchFile(path, changed);
  }
}
