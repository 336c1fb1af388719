import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { openS3Store } from '../storage/s3-store.ts';
import { createObjectUploads } from './object-uploads.ts';
import { openUploadStore, type UploadStore } from './upload-store.ts';

type OpenUploadsDeps = {
  config: Pick<Config, 'state' | 's3'>;
  dataDir: string;
  installation: string;
  db: Database;
  clock: { now(): number };
};

/** The uploads of this server, or those that all servers share. */
export async function openUploads(deps: OpenUploadsDeps): Promise<UploadStore> {
  const { config, dataDir, installation, db, clock } = deps;
  const disk = await openUploadStore(dataDir);
  if (config.state === 'local' || config.s3 === undefined) return disk;
  const objects = openS3Store({ ...config.s3, folder: `uploads/${installation}` });
  return createObjectUploads({ db, objects, disk, clock });
}
