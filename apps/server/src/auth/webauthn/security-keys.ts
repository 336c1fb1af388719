import type { Selectable } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { SecurityKeysTable } from '../../db/schema.ts';

export type SecurityKeyRow = Selectable<SecurityKeysTable>;

export type NewSecurityKey = {
  credentialId: string;
  publicKey: Buffer;
  counter: number;
  transports: string[];
};

export type SecurityKeys = {
  /** Returns undefined if the key is already registered, by any user. */
  insert(
    userId: string,
    key: NewSecurityKey,
    nickname: string | undefined,
  ): Promise<SecurityKeyRow | undefined>;
  find(credentialId: string): Promise<SecurityKeyRow | undefined>;
  ofUser(userId: string): Promise<SecurityKeyRow[]>;
  /** Stores a signature counter. Returns false if it did not grow; keys without a counter always send 0. */
  advance(id: string, counter: number): Promise<boolean>;
  /** Returns whether the user had such a key. */
  remove(userId: string, id: string): Promise<boolean>;
};

export function createSecurityKeys(db: Database): SecurityKeys {
  return {
    insert: (userId, { credentialId, publicKey, counter, transports }, nickname) =>
      db
        .insertInto('auth.security_keys')
        .values({
          user_id: userId,
          credential_id: credentialId,
          public_key: publicKey,
          counter,
          transports,
          nickname: nickname ?? null,
        })
        .onConflict((conflict) => conflict.column('credential_id').doNothing())
        .returningAll()
        .executeTakeFirst(),
    find: (credentialId) =>
      db
        .selectFrom('auth.security_keys')
        .selectAll()
        .where('credential_id', '=', credentialId)
        .executeTakeFirst(),
    ofUser: (userId) =>
      db
        .selectFrom('auth.security_keys')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('created_at')
        .execute(),
    async advance(id, counter) {
      const { numUpdatedRows } = await db
        .updateTable('auth.security_keys')
        .set({ counter })
        .where('id', '=', id)
        .where((or) =>
          counter === 0 ? or('counter', '=', '0') : or('counter', '<', String(counter)),
        )
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    async remove(userId, id) {
      const { numDeletedRows } = await db
        .deleteFrom('auth.security_keys')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirst();
      return numDeletedRows === 1n;
    },
  };
}
