import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { createBuckets, type OpenBuckets } from './buckets.ts';
import { createTableBuckets } from './table-buckets.ts';

type BucketsDeps = {
  config: Pick<Config, 'state'>;
  db: Database;
  clock: { now(): number };
  logError: (error: unknown) => void;
};

/** Rate limits of this server, or of all servers together. */
export function openBucketsFor({ config, db, clock, logError }: BucketsDeps): OpenBuckets {
  if (config.state === 'shared') return createTableBuckets({ db, logError });
  return () => createBuckets({ clock });
}
