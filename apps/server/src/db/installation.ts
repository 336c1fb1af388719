import type { Database } from './database.ts';

/** The id that tells this database from every other. */
export async function installationId(db: Database): Promise<string> {
  const { id } = await db.selectFrom('deploy.installation').select('id').executeTakeFirstOrThrow();
  return id;
}
