import { rm } from 'node:fs/promises';
import { archivePath } from '../build/unpack-upload.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { moveUploads } from '../move/move-uploads.ts';
import { openS3Store, type S3Store } from '../storage/s3-store.ts';
import { createObjectUploads } from './object-uploads.ts';
import { openUploadStore, type UploadStore } from './upload-store.ts';

type OpenUploadsDeps = {
  config: Pick<Config, 'state' | 's3'>;
  dataDir: string;
  installation: string;
  db: Database;
  clock: { now(): number };
  signal: AbortSignal;
};

/** The uploads of this server, or those that all servers share. */
export async function openUploads(deps: OpenUploadsDeps): Promise<UploadStore> {
  const { config, dataDir, installation, db, clock } = deps;
  const disk = await openUploadStore(dataDir);
  if (config.state === 'local' || config.s3 === undefined) return disk;
  const objects = openS3Store({ ...config.s3, folder: `uploads/${installation}` });
  await shareArchives(objects, deps);
  return createObjectUploads({ db, objects, disk, clock });
}

/** Moves archives of the time when only one server ran. Others do not have its disk. */
async function shareArchives(
  to: S3Store,
  { db, dataDir, signal }: Pick<OpenUploadsDeps, 'db' | 'dataDir' | 'signal'>,
): Promise<void> {
  for (const { appId, ...archive } of await moveUploads({ dataDir, to, signal })) {
    await db
      .insertInto('deploy.uploads')
      .values({ app_id: appId, ...archive })
      // It was uploaded again. The daily job removes the copy.
      .onConflict((conflict) => conflict.columns(['app_id', 'digest']).doNothing())
      .execute();
    await rm(archivePath(dataDir, appId, archive.digest), { force: true });
  }
}
