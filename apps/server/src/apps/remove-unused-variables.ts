import { RETAINED_RELEASES } from '@longshore/contract';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { MASKED_RELEASES } from './releases.ts';

/**
 * Deletes values that no app and no release that can still run has used for a day. The time between lets every reader of a
 * hash read its value, and an app that was deleted by mistake be restored. Values that are used again are unmarked.
 */
export async function removeUnusedVariables(db: Database): Promise<void> {
  const used = sql`
    exists (
      select from public.resources as app
      where app.id = sealed_values.owner_id and (not app.deleted or app.observed_generation <> app.generation)
        and (app.values #>> array['env', sealed_values.name] = sealed_values.hash or exists (
          select from (
            (select env, referred from deploy.releases where app_id = app.id
              order by number desc limit ${MASKED_RELEASES})
            union all
            (select env, referred from deploy.releases where app_id = app.id and outcome = 'live'
              order by number desc limit ${RETAINED_RELEASES})
          ) as release
          where release.env ->> sealed_values.name = sealed_values.hash
            or release.referred @> jsonb_build_array(jsonb_build_object(sealed_values.name, sealed_values.hash))
        ))
    )`;
  // Rows that a transaction has locked are used by it. Waiting for them could end in a deadlock.
  const rowsWhere = (condition: typeof used) => sql`ctid = any(array(
    select ctid from deploy.sealed_values where purpose = 'variable' and ${condition} for update skip locked
  ))`;
  await sql`
    delete from deploy.sealed_values
    where ${rowsWhere(sql`unused_since < now() - interval '1 day' and not ${used}`)}
  `.execute(db);
  await sql`
    update deploy.sealed_values set unused_since = case when unused_since is null then now() end
    where ${rowsWhere(sql`(unused_since is not null) = ${used}`)}
  `.execute(db);
}
