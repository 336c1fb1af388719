import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { EngineRecords } from './engine-records.ts';

/** Each record is a row. A log store with a shared storage writes rows of the same table (`LogSink.appendRecord`). */
export function createDatabaseRecords(db: Database): EngineRecords {
  return {
    async read(path, schema) {
      const { rows } = await sql<{ value: unknown }>`
        select value from deploy.engine_records where path = ${path}`.execute(db);
      return schema.safeParse(rows[0]?.value).data;
    },
    async write(path, value) {
      await sql`
        insert into deploy.engine_records (path, value) values (${path}, ${JSON.stringify(value)}::jsonb)
        on conflict (path) do update set value = excluded.value`.execute(db);
    },
    async increase(path, floor) {
      // One statement: a former leader may still start an instance.
      const { rows } = await sql<{ value: number }>`
        insert into deploy.engine_records as existing (path, value)
        values (${path}, to_jsonb(${floor}::integer + 1))
        on conflict (path) do update set value = to_jsonb(1 + greatest(
          ${floor}::integer,
          case when jsonb_typeof(existing.value) = 'number' then existing.value::integer end
        ))
        returning value`.execute(db);
      const [stored] = rows;
      if (stored === undefined) throw new Error('Postgres returned no number');
      return stored.value;
    },
    async remove(path) {
      // '0' is the character after '/'.
      await sql`
        delete from deploy.engine_records
        where path = ${path} or (path > ${`${path}/`} and path < ${`${path}0`})`.execute(db);
    },
  };
}
