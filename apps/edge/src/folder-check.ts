import { statSync } from 'node:fs';

/** Returns a check whether the folder, which is the working directory, was removed or replaced by another one. */
export function createFolderCheck(path: string): () => boolean {
  const { ino, dev } = statSync('.');
  return () => {
    try {
      const now = statSync(path, { throwIfNoEntry: false });
      return now === undefined || now.ino !== ino || now.dev !== dev;
    } catch {
      return false;
    }
  };
}
