import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { createBoundedCache } from '../cache/bounded-cache.ts';
import type { Database } from '../db/database.ts';
import { type Seal, UnreadableSecret } from './seal.ts';
import { Secret } from './secret.ts';

/** Names a value: what it is for, the resource it belongs to, and its name there. */
export type ValueName = { purpose: 'variable'; ownerId: string; name: string };

export type PlainValue = ValueName & { value: string };

/** `hash` is stored where the value is used. */
export type StoredValue = ValueName & { hash: string };

/**
 * Values that are encrypted at rest, in a table of their own (decision 69). A keyed hash takes the place of each value, so
 * that the database can compare values without knowing them.
 */
export type SealedValues = {
  /** Equal exactly if name and value are equal. Without the key nobody can test a guess. */
  hashOf(value: PlainValue): string;
  /** A keyed hash of another text, such as a hash that covers values. */
  hashText(context: string[], text: string): string;
  /** Nothing refers to a value before it is stored. `db` may be a transaction. */
  store(db: Database, values: PlainValue[]): Promise<void>;
  /** In the same order. Undefined: not stored, or not readable with the keys. */
  read(db: Database, values: StoredValue[]): Promise<(string | undefined)[]>;
};

export type SealedValuesDeps = { seal: Seal; hashKey: Buffer };

/** Stored hashes are recognisable. A value that looks like one is sealed like any other. */
const PREFIX = 'sealed:';
/** Values in memory, so that reading a list of apps does not decrypt them each time. */
const MAX_CACHED = { entries: 20_000, weight: 8_000_000 };
const MAX_READ_AT_ONCE = 500;

export function createSealedValues({ seal, hashKey }: SealedValuesDeps): SealedValues {
  const cache = createBoundedCache<string>(MAX_CACHED.entries, {
    maxWeight: MAX_CACHED.weight,
    weightOf: (value) => value.length,
  });
  const hashText = (context: string[], text: string) =>
    createHmac('sha256', hashKey)
      .update(JSON.stringify([...context, text]))
      .digest('base64url');
  const hashOf = ({ purpose, ownerId, name, value }: PlainValue) =>
    PREFIX + hashText([purpose, ownerId, name], value);

  return {
    hashOf,
    hashText,
    async store(db, unordered) {
      if (unordered.length === 0) return;
      // Two transactions that store the same values must lock their rows in the same order.
      const values = unordered.toSorted((one, other) => compareText(keyOf(one), keyOf(other)));
      const hashes = values.map(hashOf);
      const sealed = values.map((value, at) =>
        seal.encrypt(new Secret(value.value), sealContext({ ...value, hash: hashes[at] ?? '' })),
      );
      // The lock of an existing row also makes its removal wait, and see that the value is used again.
      await sql`
        insert into deploy.sealed_values (owner_id, purpose, name, hash, sealed)
        select * from unnest(
          ${values.map(({ ownerId }) => ownerId)}::uuid[], ${values.map(({ purpose }) => purpose)}::text[],
          ${values.map(({ name }) => name)}::text[], ${hashes}::text[], ${sealed}::text[]
        )
        on conflict (owner_id, purpose, hash) do update set unused_since = null
          where sealed_values.unused_since is not null
      `.execute(db);
    },
    async read(db, values) {
      const keys = values.map(cacheKey);
      const found = keys.map((key) => cache.get(key));
      const missing = new Map(
        values.flatMap((value, at) =>
          found[at] === undefined ? [[keys[at] ?? '', value] as const] : [],
        ),
      );
      if (missing.size === 0) return found;
      const read = await readStored(db, [...missing.values()]);
      return found.map((value, at) => value ?? read.get(keys[at] ?? ''));
    },
  };

  /** By their keys in the cache. */
  async function readStored(db: Database, values: StoredValue[]): Promise<Map<string, string>> {
    const read = new Map<string, string>();
    for (let at = 0; at < values.length; at += MAX_READ_AT_ONCE) {
      for (const row of await storedRows(db, values.slice(at, at + MAX_READ_AT_ONCE))) {
        const value = decrypt(row.sealed, sealContext(row));
        if (value === undefined) continue;
        read.set(cacheKey(row), value);
        cache.set(cacheKey(row), value);
      }
    }
    return read;
  }

  function decrypt(sealed: string, context: string): string | undefined {
    try {
      return seal.decrypt(sealed, context).reveal();
    } catch (error) {
      if (error instanceof UnreadableSecret) return undefined;
      throw error;
    }
  }
}

function keyOf({ purpose, ownerId, name }: ValueName): string {
  return JSON.stringify([ownerId, purpose, name]);
}

function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** What a value was sealed for. A sealed text in any other row is not readable. */
export function sealContext({ purpose, ownerId, name, hash }: StoredValue): string {
  return JSON.stringify([purpose, ownerId, name, hash]);
}

/** Unambiguous: only the name may contain spaces. */
function cacheKey({ purpose, ownerId, name, hash }: StoredValue): string {
  return `${ownerId} ${hash} ${purpose} ${name}`;
}

async function storedRows(
  db: Database,
  values: StoredValue[],
): Promise<(StoredValue & { sealed: string })[]> {
  const { rows } = await sql<StoredValue & { sealed: string }>`
    select owner_id as "ownerId", purpose, name, hash, sealed from deploy.sealed_values
    join unnest(
      ${values.map(({ ownerId }) => ownerId)}::uuid[], ${values.map(({ purpose }) => purpose)}::text[],
      ${values.map(({ name }) => name)}::text[], ${values.map(({ hash }) => hash)}::text[]
    ) as wanted (owner_id, purpose, name, hash) using (owner_id, purpose, name, hash)
  `.execute(db);
  return rows;
}
