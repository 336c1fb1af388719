import { isRecord } from '@longshore/contract';
import type { Database } from '../db/database.ts';
import { UnreadableSecret } from '../secrets/seal.ts';
import type { SealedValues } from '../secrets/sealed-values.ts';

type Env = Record<string, string>;

/** The variables of an app or a release as its row has them: under each name the hash of the value. */
export type StoredEnv = { appId: string; env: unknown };

export type StoredVariable = { appId: string; name: string; hash: string };

/** Null: the value cannot be read. */
export type ReadEnv = Record<string, string | null>;

/**
 * The variables of apps. Their values are encrypted before they reach the database, and rows of apps and releases have
 * hashes in their place (decision 69).
 */
export type Variables = {
  hashesOf(appId: string, env: Env): Env;
  /** Part of the transaction that stores the hashes. */
  store(tx: Database, appId: string, env: Env): Promise<void>;
  /** In the order of the request. Undefined: the value cannot be read. `db` may be a transaction. */
  read(db: Database, variables: StoredVariable[]): Promise<(string | undefined)[]>;
  /** In the order of the request. */
  readEnvs(db: Database, stored: StoredEnv[]): Promise<ReadEnv[]>;
  /** The stored form of a desired hash. Without a key it would allow to guess the values that it covers. */
  hashOfRelease(appId: string, desiredHash: string): string;
};

const PURPOSE = 'variable';

export function createVariables(sealedValues: SealedValues): Variables {
  const named = (appId: string, env: Env) =>
    Object.entries(env).map(
      ([name, value]) => ({ purpose: PURPOSE, ownerId: appId, name, value }) as const,
    );

  function read(db: Database, variables: StoredVariable[]) {
    return sealedValues.read(
      db,
      variables.map(({ appId, name, hash }) => ({ purpose: PURPOSE, ownerId: appId, name, hash })),
    );
  }

  return {
    hashesOf: (appId, env) =>
      Object.fromEntries(
        named(appId, env).map((value) => [value.name, sealedValues.hashOf(value)]),
      ),
    store: (tx, appId, env) => sealedValues.store(tx, named(appId, env)),
    read,
    async readEnvs(db, stored) {
      const variables = stored.map(({ appId, env }) =>
        Object.entries(isRecord(env) ? env : {}).map(([name, hash]) => ({
          appId,
          name,
          hash: String(hash),
        })),
      );
      const values = await read(db, variables.flat());
      let at = 0;
      return variables.map((names) =>
        Object.fromEntries(names.map(({ name }) => [name, values[at++] ?? null])),
      );
    },
    hashOfRelease: (appId, desiredHash) => sealedValues.hashText(['release', appId], desiredHash),
  };
}

/** The values of rows, with the values of their variables. Old rows may have values of any form. */
export async function readValues<Row extends { id: string; values: unknown }>(
  variables: Variables,
  db: Database,
  rows: Row[],
): Promise<Row[]> {
  const envOf = (values: unknown) => (isRecord(values) ? values.env : undefined);
  const envs = await variables.readEnvs(
    db,
    rows.map(({ id: appId, values }) => ({ appId, env: envOf(values) })),
  );
  return rows.map((row, at) =>
    isRecord(envOf(row.values))
      ? { ...row, values: { ...(row.values as object), env: envs[at] } }
      : row,
  );
}

/** Throws if a value cannot be read: an app must not run without one of its variables. */
export function requireReadable(env: ReadEnv): asserts env is Env {
  const unreadable = unreadableNames(env);
  if (unreadable.length === 0) return;
  throw new UnreadableSecret(`Variables cannot be decrypted: ${unreadable.join(', ')}`);
}

export function unreadableNames(env: unknown): string[] {
  return Object.entries(isRecord(env) ? env : {}).flatMap(([name, value]) =>
    value === null ? [name] : [],
  );
}
