import { chartNameOf, type IntegrationValues } from '@longshore/contract';
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { existingResources } from '../../db/resources.ts';
import type { Seal } from '../../secrets/seal.ts';
import type { Secret } from '../../secrets/secret.ts';
import { createSealedSecrets, HOST_KEYS } from '../sealed-secrets.ts';

const CHART_VERSION = '0.0';
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** The values as the integrations service writes them: with all fields. */
export type ConnectedValues = Required<IntegrationValues>;

/** A connection to an account at a code host or registry. */
export type Integration = { id: string; ownerId: string; values: ConnectedValues };

export type Integrations = {
  /** Connecting an account again updates its integration and replaces the secret. */
  connect(ownerId: string, values: ConnectedValues, secret: NamedSecret): Promise<string>;
  /** Undefined for integrations of other users, unknown and deleted ones. */
  find(ownerId: string, id: string): Promise<Integration | undefined>;
  /** Those for registries, newest first. */
  registriesOf(ownerId: string): Promise<Integration[]>;
  setState(id: string, state: ConnectedValues['state']): Promise<void>;
};

export type NamedSecret = { name: string; secret: Secret };

export function createIntegrations(db: Database, seal: Seal): Integrations {
  return {
    connect: (ownerId, values, { name, secret }) =>
      db.transaction().execute(async (tx) => {
        const id = await upsert(tx, ownerId, values);
        const secrets = createSealedSecrets(tx, seal);
        await secrets.store(id, name, secret);
        // By connecting again, the owner trusts the host's current keys.
        await secrets.remove(id, HOST_KEYS);
        return id;
      }),
    async find(ownerId, id) {
      if (!UUID.test(id)) return undefined;
      const row = await existingResources(db, 'credential')
        .select(['id', 'values'])
        .where('id', '=', id)
        .where('user_id', '=', ownerId)
        .executeTakeFirst();
      return row && { id: row.id, ownerId, values: row.values as ConnectedValues };
    },
    async registriesOf(ownerId) {
      const rows = await existingResources(db, 'credential')
        .select(['id', 'values'])
        .where('user_id', '=', ownerId)
        .where(sql`values ->> 'type'`, '=', 'docker')
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .execute();
      return rows.map(({ id, values }) => ({ id, ownerId, values: values as ConnectedValues }));
    },
    async setState(id, state) {
      await sql`
        update public.resources set values = values || ${JSON.stringify({ state })}::jsonb
        where id = ${id} and chart_name = ${chartNameOf('credential')} and not deleted
          and values ->> 'state' is distinct from ${state}
      `.execute(db);
    },
  };
}

async function upsert(db: Database, ownerId: string, values: ConnectedValues): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into public.resources (user_id, chart_name, chart_version, values, status)
    values (${ownerId}, ${chartNameOf('credential')}, ${CHART_VERSION}, ${JSON.stringify(values)}, 'synced')
    on conflict (user_id, (values ->> 'provider'), (values ->> 'host'), (values ->> 'account_id'))
      where chart_name = 'credential' and not deleted
      do update set values = excluded.values
    returning id
  `.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('The integration was neither inserted nor updated');
  return row.id;
}
