import { type AppValues, chartNameOf } from '@longshore/contract';
import { sql } from 'kysely';
import { visibleRows } from '../sql/scope.ts';
import { RESOURCES } from '../tables/resources.ts';
import type { Write } from './write.ts';

/** The app, if it is the caller's, kept as it is until the write is done. */
export async function lockedApp(
  id: string,
  { tx, scope }: Write,
): Promise<{ values: AppValues } | undefined> {
  const { rows } = await sql<{ values: AppValues }>`
    select app.values from ${visibleRows(RESOURCES, scope)} as app
    where app.id = ${id}::uuid and app.chart_name = ${chartNameOf('app')} and not app.deleted
    for update
  `.execute(tx);
  return rows[0];
}
