import type { Database } from '../db/database.ts';

export type Bucket = {
  id: string;
  minBytes: number;
  maxBytes: number;
  presignedUrls: boolean;
  presignedSeconds: number;
  cacheControl: string;
};

export type Buckets = { find(id: string): Promise<Bucket | undefined> };

export const DEFAULT_BUCKET = 'default';

/** The limit of the server applies to every bucket. */
export function createBuckets(db: Database, maxFileBytes: number): Buckets {
  return {
    async find(id) {
      const row = await db
        .selectFrom('storage.buckets')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst();
      return (
        row && {
          id: row.id,
          minBytes: Number(row.min_bytes),
          maxBytes: Math.min(maxFileBytes, Number(row.max_bytes ?? maxFileBytes)),
          presignedUrls: row.presigned_urls,
          presignedSeconds: row.presigned_seconds,
          cacheControl: row.cache_control,
        }
      );
    },
  };
}
