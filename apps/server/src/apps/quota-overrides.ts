import type { Database } from '../db/database.ts';
import { NO_OVERRIDE, type QuotaOverride } from './quota.ts';

/** Read at each check, so that a change applies at once. */
export async function readQuotaOverride(db: Database, userId: string): Promise<QuotaOverride> {
  const row = await db
    .selectFrom('deploy.quotas')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (row === undefined) return NO_OVERRIDE;
  return {
    apps: row.apps,
    memoryBytes: numberOrNull(row.memory_bytes),
    cpus: row.cpus,
    builds: row.builds,
    diskBytes: numberOrNull(row.disk_bytes),
  };
}

export async function writeQuotaOverride(
  db: Database,
  userId: string,
  override: QuotaOverride,
): Promise<void> {
  const { apps, memoryBytes, cpus, builds, diskBytes } = override;
  const values = { apps, memory_bytes: memoryBytes, cpus, builds, disk_bytes: diskBytes };
  await db
    .insertInto('deploy.quotas')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute();
}

/** The driver reads a bigint as text. */
function numberOrNull(text: string | null): number | null {
  return text === null ? null : Number(text);
}
