import { chartNameOf } from '@longshore/contract';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Variables } from './variables.ts';

/** The tables whose rows have variables. */
export const SEALED_TABLES = ['public.resources', 'deploy.releases'];

const BATCH = 200;

type App = { id: string; env: Record<string, unknown> };
type Release = App & { number: number; hash: string };

/**
 * Encrypts the variables of all apps and releases, which an older version stored as plain text. No row looks edited, so that
 * nothing is redeployed. Returns whether there were any rows.
 */
export async function sealStoredVariables(tx: Database, variables: Variables): Promise<boolean> {
  // Neither a new generation nor an event: the values stay the same.
  await setTriggers(tx, 'disable');
  const hasApps = await sealApps(tx, variables);
  const hasReleases = await sealReleases(tx, variables);
  await setTriggers(tx, 'enable');
  return hasApps || hasReleases;
}

export async function setTriggers(tx: Database, state: 'enable' | 'disable'): Promise<void> {
  for (const table of SEALED_TABLES) {
    await sql`alter table ${sql.table(table)} ${sql.raw(state)} trigger user`.execute(tx);
  }
}

async function sealApps(tx: Database, variables: Variables): Promise<boolean> {
  let last = '00000000-0000-0000-0000-000000000000';
  for (let isFirst = true; ; isFirst = false) {
    const { rows } = await sql<App>`
      select id, values -> 'env' as env from public.resources
      where id > ${last} and chart_name = ${chartNameOf('app')} and jsonb_typeof(values -> 'env') = 'object'
      order by id limit ${BATCH}
    `.execute(tx);
    if (rows.length === 0) return !isFirst;
    for (const { id, env } of rows) {
      const stored = JSON.stringify(await seal(tx, variables, { id, env }));
      await sql`
        update public.resources set values = jsonb_set(values, '{env}', ${stored}::jsonb) where id = ${id}
      `.execute(tx);
      last = id;
    }
  }
}

async function sealReleases(tx: Database, variables: Variables): Promise<boolean> {
  let last = { id: '00000000-0000-0000-0000-000000000000', number: 0 };
  for (let isFirst = true; ; isFirst = false) {
    const { rows } = await sql<Release>`
      select app_id as id, number, wish as hash, env from deploy.releases
      where (app_id, number) > (${last.id}::uuid, ${last.number}::integer)
      order by app_id, number limit ${BATCH}
    `.execute(tx);
    if (rows.length === 0) return !isFirst;
    for (const { id, number, hash, env } of rows) {
      const stored = JSON.stringify(await seal(tx, variables, { id, env }));
      await sql`
        update deploy.releases set env = ${stored}::jsonb, wish = ${variables.hashOfRelease(id, hash)}
        where app_id = ${id} and number = ${number}
      `.execute(tx);
      last = { id, number };
    }
  }
}

/** The rules have always required texts; anything else in an old row is kept as its JSON. */
async function seal(tx: Database, variables: Variables, { id, env }: App) {
  const texts = Object.fromEntries(
    Object.entries(env).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
  await variables.store(tx, id, texts);
  return variables.hashesOf(id, texts);
}
