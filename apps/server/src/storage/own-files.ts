import { type Selectable, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { FilesTable } from '../db/schema.ts';
import type { StoredContent } from '../move/move-files.ts';
import type { StoredFile } from './stored-file.ts';

/** A row to insert. Without an id, the database generates one. */
export type NewFile = {
  id: string | undefined;
  bucketId: string;
  name: string;
  metadata: unknown;
} & FileContent;

export type FileContent = { key: string; size: number; mimeType: string; sha256: string };

export type Replaced = { file: StoredFile; oldKey: string };

/** The rows of files. Everything but `findByKey` is limited to the rows of one user. */
export type OwnFiles = {
  find(userId: string, id: string): Promise<StoredFile | undefined>;
  /** For presigned URLs: their signature covers the key. */
  findByKey(key: string, id: string): Promise<StoredFile | undefined>;
  /** `no-user`: the token is still valid although its user was deleted. */
  insert(
    userId: string,
    file: NewFile,
  ): Promise<StoredFile | 'duplicate' | 'over-quota' | 'no-user'>;
  replace(
    userId: string,
    id: string,
    change: FileContent & { name: string; metadata: unknown },
  ): Promise<Replaced | 'absent' | 'over-quota'>;
  /** Returns the removed row. */
  remove(userId: string, id: string): Promise<StoredFile | undefined>;
  usedBytes(userId: string): Promise<number>;
  /** The given keys that a row references. */
  referencedKeys(keys: string[]): Promise<Set<string>>;
  /** What the rows with these keys say about their bytes. */
  contentsOf(keys: string[]): Promise<StoredContent[]>;
};

export function createOwnFiles(db: Database, quotaBytes: number): OwnFiles {
  return {
    find,
    async findByKey(key, id) {
      const row = await db
        .selectFrom('storage.files')
        .selectAll()
        .where('key', '=', key)
        .where('id', '=', id)
        .executeTakeFirst();
      return row && storedFile(row);
    },
    insert: (userId, file) =>
      exclusively(userId, async (transaction) => {
        const used = await usedBytes(userId, transaction);
        if (used + file.size > quotaBytes) return 'over-quota';
        const row = await transaction
          .insertInto('storage.files')
          .values({
            ...(file.id === undefined ? {} : { id: file.id }),
            user_id: userId,
            bucket_id: file.bucketId,
            ...columnsOf(file),
          })
          .onConflict((conflict) => conflict.columns(['user_id', 'id']).doNothing())
          .returningAll()
          .executeTakeFirst();
        return row === undefined ? 'duplicate' : storedFile(row);
      }).catch(missingUser),
    replace: (userId, id, change) =>
      exclusively(userId, async (transaction) => {
        const old = await find(userId, id, transaction);
        if (old === undefined) return 'absent';
        const used = await usedBytes(userId, transaction);
        if (used - old.size + change.size > quotaBytes) return 'over-quota';
        const row = await transaction
          .updateTable('storage.files')
          .set({ ...columnsOf(change), updated_at: sql`now()` })
          .where('user_id', '=', userId)
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow();
        return { file: storedFile(row), oldKey: old.key };
      }),
    async remove(userId, id) {
      const row = await db
        .deleteFrom('storage.files')
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      return row && storedFile(row);
    },
    usedBytes: (userId) => usedBytes(userId, db),
    async referencedKeys(keys) {
      const rows = await db
        .selectFrom('storage.files')
        .select('key')
        .where('key', 'in', keys)
        .execute();
      return new Set(rows.map(({ key }) => key));
    },
    async contentsOf(keys) {
      const rows = await db
        .selectFrom('storage.files')
        .select(['key', 'size', 'sha256'])
        .where('key', '=', sql<string>`any(${keys})`)
        .execute();
      return rows.map(({ key, size, sha256 }) => ({ key, bytes: Number(size), sha256 }));
    },
  };

  /** One change of a user's files at a time, so that concurrent uploads cannot exceed the quota. */
  function exclusively<T>(
    userId: string,
    change: (transaction: Database) => Promise<T>,
  ): Promise<T> {
    return db.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`files of ${userId}`}, 0))`.execute(
        transaction,
      );
      return await change(transaction);
    });
  }

  async function find(userId: string, id: string, executor = db): Promise<StoredFile | undefined> {
    const row = await executor
      .selectFrom('storage.files')
      .selectAll()
      .where('user_id', '=', userId)
      .where('id', '=', id)
      .executeTakeFirst();
    return row && storedFile(row);
  }
}

function missingUser(error: { constraint?: string }): 'no-user' {
  if (error.constraint === 'files_user_id_fkey') return 'no-user';
  throw error;
}

async function usedBytes(userId: string, executor: Database): Promise<number> {
  const { used } = await executor
    .selectFrom('storage.files')
    .select(({ fn }) => fn.sum<string | null>('size').as('used'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(used ?? 0);
}

function columnsOf(file: FileContent & { name: string; metadata: unknown }) {
  return {
    name: file.name,
    metadata: file.metadata === null ? null : JSON.stringify(file.metadata),
    size: file.size,
    mime_type: file.mimeType,
    sha256: file.sha256,
    key: file.key,
  };
}

function storedFile(row: Selectable<FilesTable>): StoredFile {
  return {
    id: row.id,
    userId: row.user_id,
    bucketId: row.bucket_id,
    name: row.name,
    size: Number(row.size),
    mimeType: row.mime_type,
    sha256: row.sha256,
    metadata: row.metadata,
    key: row.key,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
