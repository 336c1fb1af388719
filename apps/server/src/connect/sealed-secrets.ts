import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { existingResourceForShare } from '../db/resources.ts';
import type { Seal } from '../secrets/seal.ts';
import type { Secret } from '../secrets/secret.ts';

/** The names under which secrets are stored. */
export const ACCOUNT_SECRET = 'account';
export const REGISTRY_PASSWORD = 'registry-password';
export const SSH_KEY = 'ssh-key';
/** Not secret, but sealed: write access to the database must not be enough to make the server trust another host. */
export const HOST_KEYS = 'host-keys';
/** The secret of an app's webhook. */
export const WEBHOOK_SECRET = 'webhook';
/** The secret in the URL of an app's deploy hook. */
export const DEPLOY_HOOK_SECRET = 'deploy-hook';

/**
 * Secrets of integrations, and of the webhooks and deploy hooks of apps. They are encrypted before they reach the database, and deleted
 * with their resource.
 */
export type SealedSecrets = {
  /** Replaces a stored secret of the same name. Returns false, and stores nothing, if the resource was deleted. */
  store(resourceId: string, name: string, secret: Secret): Promise<boolean>;
  read(resourceId: string, name: string): Promise<Secret | undefined>;
  remove(resourceId: string, name: string): Promise<void>;
};

/** `db` can be a transaction. */
export function createSealedSecrets(db: Database, seal: Seal): SealedSecrets {
  return {
    async store(resourceId, name, secret) {
      // Locks the resource, so that it is not deleted, with its secrets, before this one is stored.
      const { numAffectedRows } = await sql`
        insert into connect.secrets (integration_id, name, sealed)
        select id, ${name}, ${seal.encrypt(secret)} from (${existingResourceForShare(resourceId)}) as owner
        on conflict (integration_id, name) do update set sealed = excluded.sealed, updated_at = now()
      `.execute(db);
      return numAffectedRows === 1n;
    },
    async read(resourceId, name) {
      const row = await db
        .selectFrom('connect.secrets')
        .select('sealed')
        .where('integration_id', '=', resourceId)
        .where('name', '=', name)
        .executeTakeFirst();
      return row && seal.decrypt(row.sealed);
    },
    async remove(resourceId, name) {
      await db
        .deleteFrom('connect.secrets')
        .where('integration_id', '=', resourceId)
        .where('name', '=', name)
        .execute();
    },
  };
}
