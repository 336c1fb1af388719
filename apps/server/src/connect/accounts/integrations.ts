import { chartNameOf } from '@longshore/contract';
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { existingResources } from '../../db/resources.ts';
import type { Seal } from '../../secrets/seal.ts';
import type { Secret } from '../../secrets/secret.ts';
import { HOST_KEYS } from '../keys/host-keys.ts';
import { createSealedSecrets } from '../secrets/sealed-secrets.ts';
import type { ConnectedValues, Integration } from './integration.ts';

const CHART_VERSION = '0.0';
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export type Integrations = {
  /** An account that is connected already stays the same integration, with the newer secret. */
  connect(ownerId: string, values: ConnectedValues, secret: NamedSecret): Promise<string>;
  /** A foreign, an unknown and a deleted one are the same: none. */
  find(ownerId: string, id: string): Promise<Integration | undefined>;
  setState(id: string, state: ConnectedValues['state']): Promise<void>;
};

export type NamedSecret = { name: string; secret: Secret };

export function createIntegrations(db: Database, seal: Seal): Integrations {
  return {
    connect: (ownerId, values, { name, secret }) =>
      db.transaction().execute(async (tx) => {
        const id = await upsert(tx, ownerId, values);
        const secrets = createSealedSecrets(tx, seal);
        await secrets.keep(id, name, secret);
        // Its owner stands by the host anew, whichever keys that shows now.
        await secrets.forget(id, HOST_KEYS);
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
  if (row === undefined) throw new Error('An integration was neither added nor found');
  return row.id;
}
