import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { sql } from 'kysely';
import type { DownloadUpload } from '../build/unpack-upload.ts';
import type { Database } from '../db/database.ts';
import { type FileStore, FileStoreDown } from '../storage/file-store.ts';
import type { UploadStore } from './upload-store.ts';

type ObjectUploadDeps = {
  db: Database;
  /** Only for uploads: others would be removed. */
  objects: FileStore;
  /** Receives archives, and has those of the time when only one server ran. */
  disk: UploadStore;
  clock: { now(): number };
};

export type ObjectUploads = UploadStore & { download: DownloadUpload };

/** No upload takes a day. */
const UNFINISHED_MS = 86_400_000;

/** Archives in the object store, so that each server can build them. */
export function createObjectUploads({ db, objects, disk, clock }: ObjectUploadDeps): ObjectUploads {
  return {
    async receive(body, options) {
      const archive = await disk.receive(body, options);
      try {
        const { measured, chunks } = measure(createReadStream(archive.path), options);
        const key = await objects.write(chunks);
        let isKept = false;
        return {
          ...archive,
          async keep(appId) {
            isKept = true;
            await record(appId, { digest: archive.digest, key, ...measured() });
          },
          async discard() {
            await archive.discard();
            if (!isKept) await objects.remove(key);
          },
        };
      } catch (error) {
        await archive.discard();
        throw error;
      }
    },
    async usedBytes(appIds) {
      const { rows } = await sql<{ bytes: string }>`
        select coalesce(sum(bytes), 0) as bytes from deploy.uploads where app_id = any(${appIds}::uuid[])
      `.execute(db);
      return Number(rows[0]?.bytes ?? 0) + (await disk.usedBytes(appIds));
    },
    async prune(appId, digests) {
      const condition = sql<boolean>`app_id = ${appId} and digest <> all(${digests})`;
      // The app has its new source already, and the next upload removes them too.
      await removeObjects(condition).catch(ignoreDown);
      await disk.prune(appId, digests);
    },
    async remove(appId) {
      await removeObjects(sql`app_id = ${appId}`);
      await disk.remove(appId);
    },
    async download({ appId, digest }, path, signal) {
      const row = await db
        .selectFrom('deploy.uploads')
        .select(['key', 'sha256', 'bytes'])
        .where('app_id', '=', appId)
        .where('digest', '=', digest)
        .executeTakeFirst();
      const object = row && (await objects.read(row.key));
      if (row === undefined || object === undefined) return false;
      const { measured, chunks } = measure(object, { maxBytes: Number(row.bytes), signal });
      await pipeline(chunks, createWriteStream(path, { flags: 'wx', mode: 0o644 }), { signal });
      const { sha256, bytes } = measured();
      if (sha256 !== row.sha256 || bytes !== Number(row.bytes)) throw damaged();
      return true;
    },
    async removeOrphans(signal) {
      const before = clock.now() - UNFINISHED_MS;
      for await (const batch of objects.list()) {
        if (signal.aborted) return;
        const keys = batch.filter(({ writtenAt }) => writtenAt < before).map(({ key }) => key);
        if (keys.length === 0) continue;
        const rows = await db
          .selectFrom('deploy.uploads')
          .select('key')
          .where('key', 'in', keys)
          .execute();
        const known = new Set(rows.map(({ key }) => key));
        for (const key of keys) if (!known.has(key)) await objects.remove(key);
      }
    },
  };

  /** The same archive may have been uploaded before; its object is removed, or is an orphan from now on. */
  async function record(
    appId: string,
    upload: { digest: string; key: string; sha256: string; bytes: number },
  ): Promise<void> {
    const former = await db.transaction().execute(async (tx) => {
      const deleted = await tx
        .deleteFrom('deploy.uploads')
        .where('app_id', '=', appId)
        .where('digest', '=', upload.digest)
        .returning('key')
        .execute();
      await tx
        .insertInto('deploy.uploads')
        .values({ app_id: appId, ...upload })
        .execute();
      return deleted;
    });
    for (const { key } of former) await objects.remove(key).catch(ignoreDown);
  }

  /** Rows last: what is not removed now is found again. */
  async function removeObjects(condition: ReturnType<typeof sql<boolean>>): Promise<void> {
    const { rows } = await sql<{ key: string }>`
      select key from deploy.uploads where ${condition}
    `.execute(db);
    for (const { key } of rows) {
      await objects.remove(key);
      await db.deleteFrom('deploy.uploads').where('key', '=', key).execute();
    }
  }
}

/** Hashes and counts chunks that pass, up to a maximum. */
function measure(
  source: AsyncIterable<Uint8Array>,
  { maxBytes = Number.POSITIVE_INFINITY, signal }: { maxBytes?: number; signal: AbortSignal },
) {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* pass(): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      signal.throwIfAborted();
      bytes += chunk.length;
      if (bytes > maxBytes) throw damaged();
      hash.update(chunk);
      yield chunk;
    }
  }
  return { chunks: pass(), measured: () => ({ sha256: hash.copy().digest('hex'), bytes }) };
}

function ignoreDown(error: unknown): void {
  if (!(error instanceof FileStoreDown)) throw error;
}

function damaged(): Error {
  return new Error('An uploaded archive in the object store is damaged');
}
