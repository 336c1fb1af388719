import { chartNameOf, escapeReferences, type ReleaseValues } from '@longshore/contract';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { desiredHashes } from './desired-hashes.ts';
import { setTriggers } from './seal-stored-variables.ts';
import type { ReadEnv, Variables } from './variables.ts';

const BATCH = 200;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

type Env = Record<string, string>;
type App = { id: string; env: unknown };
type Release = App & {
  number: number;
  hash: string;
  values: Omit<ReleaseValues, 'env'>;
  redeploys: string;
};

/**
 * Escapes what looks like a reference in the variables of all apps and releases, which an older version stored as text. No row
 * looks edited, so that nothing is redeployed.
 */
export async function escapeStoredReferences(tx: Database, variables: Variables): Promise<void> {
  // Neither a new generation nor an event: the values stay the same.
  await setTriggers(tx, 'disable');
  await escapeApps(tx, variables);
  await escapeReleases(tx, variables);
  await setTriggers(tx, 'enable');
}

async function escapeApps(tx: Database, variables: Variables): Promise<void> {
  for (let last = FIRST_ID; ; ) {
    const { rows } = await sql<App>`
      select id, values -> 'env' as env from public.resources
      where id > ${last} and chart_name = ${chartNameOf('app')} and jsonb_typeof(values -> 'env') = 'object'
      order by id limit ${BATCH}
    `.execute(tx);
    if (rows.length === 0) return;
    for (const { row, escaped } of await escapedOf(tx, variables, rows)) {
      const hashes = { ...(row.env as Env), ...variables.hashesOf(row.id, escaped) };
      await variables.store(tx, row.id, escaped);
      await sql`
        update public.resources set values = jsonb_set(values, '{env}', ${JSON.stringify(hashes)}::jsonb)
        where id = ${row.id}
      `.execute(tx);
    }
    last = rows.at(-1)?.id ?? last;
  }
}

async function escapeReleases(tx: Database, variables: Variables): Promise<void> {
  for (let last = { id: FIRST_ID, number: 0 }; ; ) {
    const { rows } = await sql<Release>`
      select app_id as id, number, wish as hash, release.made_of as values, env, redeploys
      from deploy.releases as release join public.resources as app on app.id = app_id
      where (app_id, number) > (${last.id}::uuid, ${last.number}::integer)
      order by app_id, number limit ${BATCH}
    `.execute(tx);
    if (rows.length === 0) return;
    for (const { row, env, escaped } of await escapedOf(tx, variables, rows)) {
      const hashes = { ...(row.env as Env), ...variables.hashesOf(row.id, escaped) };
      await variables.store(tx, row.id, escaped);
      await sql`
        update deploy.releases
        set env = ${JSON.stringify(hashes)}::jsonb, wish = ${hashOf(row, { env, escaped }, variables)}
        where app_id = ${row.id} and number = ${row.number}
      `.execute(tx);
    }
    last = rows.at(-1) ?? last;
  }
}

type Escaped<Row> = { row: Row; env: ReadEnv; escaped: Env };

/** The rows with variables to escape. A value that cannot be read stays. */
async function escapedOf<Row extends App>(
  tx: Database,
  variables: Variables,
  rows: Row[],
): Promise<Escaped<Row>[]> {
  const envs = await variables.readEnvs(
    tx,
    rows.map(({ id: appId, env }) => ({ appId, env })),
  );
  return rows.flatMap((row, at) => {
    const env = envs[at] ?? {};
    const escaped = Object.fromEntries(
      Object.entries(env).flatMap(([name, value]) => {
        const changed = value === null ? null : escapeReferences(value);
        return changed === null || changed === value ? [] : [[name, changed]];
      }),
    );
    return Object.keys(escaped).length === 0 ? [] : [{ row, env, escaped }];
  });
}

/** The hash of a release that the app would still run covers the escaped values. No other one is compared again. */
function hashOf(
  { id, hash, values, redeploys }: Release,
  { env, escaped }: Omit<Escaped<Release>, 'row'>,
  variables: Variables,
): string {
  const hashesWith = (each: Env) =>
    desiredHashes({ ...values, env: each }, Number(redeploys)).map((desired) =>
      variables.hashOfRelease(id, desired),
    );
  const rule = hashesWith(env as Env).indexOf(hash);
  return hashesWith({ ...(env as Env), ...escaped })[rule] ?? hash;
}
