import { chartNameOf } from '@longshore/contract';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Database } from '../db/database.ts';
import { discardOldRows } from '../db/discard-old-rows.ts';
import { runSilently, type Step } from '../db/migrate.ts';
import type { KeyStore } from '../secrets/key-store.ts';
import { openSealedValues } from '../secrets/open-sealed-values.ts';
import { escapeStoredReferences } from './escape-stored-references.ts';
import { SEALED_TABLES, sealStoredVariables } from './seal-stored-variables.ts';
import { createVariables, type Variables } from './variables.ts';

type OpenVariablesDeps = {
  db: Database;
  pool: pg.Pool;
  isEmbedded: boolean;
  keys: KeyStore;
  step: Step;
  warn: (message: string) => void;
};

/** Recorded among the migrations: SQL alone cannot encrypt, and a transaction cannot rewrite tables. */
const SEALED = '0019-sealed-values: encrypted';
const DISCARDED = '0019-sealed-values: plain text removed';
const ESCAPED = '0032-references: escaped';

/**
 * Opens the variables of all apps. Those that an older version stored as plain text are encrypted first, and what is left of
 * the plain text is removed. Each step is recorded when it is complete, so that the next start continues after a crash.
 */
export async function openVariables(deps: OpenVariablesDeps): Promise<Variables> {
  const { db, pool, isEmbedded, keys, step, warn } = deps;
  const variables = createVariables(await openSealedValues(db, keys));
  // A new installation has nothing to encrypt, and does not mention it.
  const reported = (await hasApps(db)) ? step : runSilently;
  if (!(await isRecorded(db, SEALED))) {
    await reported('Encrypt variables', () =>
      db.transaction().execute(async (tx) => {
        const hasSealed = await sealStoredVariables(tx, variables);
        await record(tx, SEALED);
        if (!hasSealed) await record(tx, DISCARDED);
      }),
    );
  }
  if (!(await isRecorded(db, DISCARDED))) {
    const discard = async () => {
      await discardOldRows(pool, { tables: SEALED_TABLES, isEmbedded });
      await record(db, DISCARDED);
    };
    await reported('Remove plain text of variables', () => discard().catch(postpone));
  }
  if (!(await isRecorded(db, ESCAPED))) {
    await reported('Escape references in variables', () =>
      db.transaction().execute(async (tx) => {
        await escapeStoredReferences(tx, variables);
        await record(tx, ESCAPED);
      }),
    );
  }
  return variables;

  /** Rewriting a table needs space for a copy. Apps must not stay down because a disk is full. */
  function postpone(error: Error): void {
    warn(
      `Variables are encrypted, but files of the database may still contain their plain text, which could not be removed (${error.message}). The next start tries again.`,
    );
  }
}

async function hasApps(db: Database): Promise<boolean> {
  const query = db.selectFrom('public.resources').where('chart_name', '=', chartNameOf('app'));
  return (await query.select('id').limit(1).execute()).length > 0;
}

async function isRecorded(db: Database, name: string): Promise<boolean> {
  const { rows } = await sql`
    select from public.longshore_migrations where name = ${name}
  `.execute(db);
  return rows.length > 0;
}

async function record(db: Database, name: string): Promise<void> {
  await sql`insert into public.longshore_migrations (name) values (${name})`.execute(db);
}
