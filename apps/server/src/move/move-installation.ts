import { join } from 'node:path';
import type { Connection } from '../db/database.ts';
import { StartProblem } from '../lifecycle/start-problem.ts';
import { readKeyFolder } from '../secrets/open-keys.ts';
import { readDiskStore } from '../storage/disk-store.ts';
import type { FileStore } from '../storage/file-store.ts';
import { bucketProblem, openS3Store, type S3Settings } from '../storage/s3-store.ts';
import type { CopiedTables } from './copy-tables.ts';
import { moveDatabase, requireEmptyTarget, withDatabases } from './move-database.ts';
import { type MovedFiles, moveFiles } from './move-files.ts';
import type { MoveTarget } from './move-target.ts';
import { moveUploads } from './move-uploads.ts';

/** An installation with local state whose server is stopped. */
export type MoveSource = {
  connection: Connection;
  /** Has keys and files. */
  dataDir: string;
  /** Has uploaded source code. Another one than `dataDir` if programs of apps could not reach that. */
  uploadsDir: string;
  installation: string;
  /** Its own object store, if it has one. */
  s3: S3Settings | undefined;
};

export type Moved = CopiedTables & MovedFiles & { keys: number; uploads: number };

/**
 * Copies an installation into an empty database and an object store, for servers that share their state. Files come first, the
 * database commits last: until then the target has no installation, and the next run continues.
 */
export async function moveInstallation(
  source: MoveSource,
  target: MoveTarget,
  signal: AbortSignal,
): Promise<Moved> {
  const problem = await bucketProblem(target.s3);
  if (problem !== undefined) {
    throw new StartProblem(`The bucket of the target cannot be used: ${problem}.`);
  }
  const connections = { source: source.connection, target: target.databaseUrl };
  return await withDatabases(connections, async (clients) => {
    await requireEmptyTarget(clients);
    const keys = await readKeyFolder(join(source.dataDir, 'keys'));
    const folder = `files/${source.installation}`;
    const files = await moveFiles({
      source: clients.source,
      from: sourceFiles(source, folder),
      to: openS3Store({ ...target.s3, folder }),
      signal,
    });
    const uploads = await moveUploads({
      dataDir: source.uploadsDir,
      to: openS3Store({ ...target.s3, folder: `uploads/${source.installation}` }),
      signal,
    });
    const { masterKey } = target;
    const copied = await moveDatabase({ ...clients, masterKey, keys, uploads, signal });
    return { ...copied, ...files, keys: keys.size, uploads: uploads.length };
  });
}

/** As in `withFormerStore`: an installation that began to use an object store still has files on its disk. */
function sourceFiles({ dataDir, s3 }: MoveSource, folder: string): Pick<FileStore, 'read'> {
  const disk = readDiskStore(join(dataDir, 'files'));
  if (s3 === undefined) return disk;
  const store = openS3Store({ ...s3, folder });
  return { read: async (key) => (await store.read(key)) ?? (await disk.read(key)) };
}
