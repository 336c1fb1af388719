import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { existingResourceForShare } from '../../db/resources.ts';
import type { Seal } from '../../secrets/seal.ts';
import type { Secret } from '../../secrets/secret.ts';

/** What integrations sign in with. It is sealed before it reaches the database, and goes with its integration. */
export type SealedSecrets = {
  /** Replaces what was kept under the name. Nothing is kept for an integration that is gone: answers whether it was. */
  keep(integrationId: string, name: string, secret: Secret): Promise<boolean>;
  read(integrationId: string, name: string): Promise<Secret | undefined>;
  forget(integrationId: string, name: string): Promise<void>;
};

/** Takes a transaction too. */
export function createSealedSecrets(db: Database, seal: Seal): SealedSecrets {
  return {
    async keep(integrationId, name, secret) {
      // Locked, so that it cannot be deleted, and its secrets destroyed, before this one is among them.
      const { numAffectedRows } = await sql`
        insert into connect.secrets (integration_id, name, sealed)
        select id, ${name}, ${seal.close(secret)} from (${existingResourceForShare(integrationId)}) as owner
        on conflict (integration_id, name) do update set sealed = excluded.sealed, updated_at = now()
      `.execute(db);
      return numAffectedRows === 1n;
    },
    async read(integrationId, name) {
      const row = await db
        .selectFrom('connect.secrets')
        .select('sealed')
        .where('integration_id', '=', integrationId)
        .where('name', '=', name)
        .executeTakeFirst();
      return row && seal.open(row.sealed);
    },
    async forget(integrationId, name) {
      await db
        .deleteFrom('connect.secrets')
        .where('integration_id', '=', integrationId)
        .where('name', '=', name)
        .execute();
    },
  };
}
