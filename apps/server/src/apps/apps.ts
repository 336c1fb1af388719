import {
  type AppValues,
  chartNameOf,
  type DependentApp,
  decodePin,
  type Pin,
} from '@longshore/contract';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { existingResources } from '../db/resources.ts';
import { servingRevision } from './releases.ts';

/** `pin`: set while the app is pinned by a rollback. Its variables are not part of it. */
export type App = {
  id: string;
  ownerId: string;
  values: Omit<AppValues, 'env'>;
  pin: Pin | undefined;
};

export type PublicApp = {
  id: string;
  ownerId: string;
  values: Pick<AppValues, 'name' | 'instances' | 'publicAccess' | 'ports'>;
  /** `isProved`: by the last check of DNS. */
  routed: { domain: string; isProved: boolean }[];
};

/** Those of one owner's project, or those that serve a custom domain. */
type PublicApps = { ownerId: string; projectId: string } | 'with-custom-domain';

/** Lookups of apps. Deleted apps are not found, except by `deletedAmong`. */
export type Apps = {
  find(appId: string): Promise<App | undefined>;
  /** Another owner's app, an unknown id and a malformed id all count as none. */
  findOwned(ownerId: string, appId: string): Promise<App | undefined>;
  /** Whether the user owns this app and the app belongs to this project. */
  isOwned(ownerId: string, projectId: string, appId: string): Promise<boolean>;
  /** The owner's apps that clone or pull with an integration, oldest first. */
  usingIntegration(ownerId: string, integrationId: string): Promise<DependentApp[]>;
  /** The commit of the newest release, if that release serves. */
  deployedCommit(appId: string): Promise<string | undefined>;
  /** The user's apps that may have files on the engine. */
  idsOnEngine(ownerId: string): Promise<string[]>;
  /** Of all owners, for the operator. */
  listNames(): Promise<{ id: string; name: string; projectId: string }[]>;
  /** Those of the ids that belong to apps that are not deleted. */
  existingAmong(appIds: string[]): Promise<string[]>;
  /** Every public app or some of them, oldest first, with the custom domains that it serves. */
  listPublic(which?: PublicApps): Promise<PublicApp[]>;
  /** Those of the ids that belong to deleted apps. */
  deletedAmong(appIds: string[]): Promise<Pick<App, 'id' | 'ownerId'>[]>;
};

/** No installation has as many apps. */
const MAX_NAMES = 10_000;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** `db` may be a transaction. */
export function createApps(db: Database): Apps {
  const existing = () => existingResources(db, 'app');

  return {
    async find(appId) {
      if (!UUID.test(appId)) return undefined;
      const query = existing().select(['id', 'user_id', 'values', 'pin']).where('id', '=', appId);
      return toApp(await query.executeTakeFirst());
    },
    async findOwned(ownerId, appId) {
      if (!UUID.test(appId)) return undefined;
      const query = existing().select(['id', 'user_id', 'values', 'pin']).where('id', '=', appId);
      return toApp(await query.where('user_id', '=', ownerId).executeTakeFirst());
    },
    async isOwned(ownerId, projectId, appId) {
      if (!UUID.test(appId) || !UUID.test(projectId)) return false;
      const app = await existing()
        .select('id')
        .where('id', '=', appId)
        .where('user_id', '=', ownerId)
        .where(sql`values ->> 'projectId'`, '=', projectId)
        .executeTakeFirst();
      return app !== undefined;
    },
    usingIntegration: (ownerId, integrationId) =>
      existing()
        .select([
          'id',
          sql<string>`values ->> 'name'`.as('name'),
          sql<string>`values ->> 'projectId'`.as('projectId'),
        ])
        .where('user_id', '=', ownerId)
        .where(sql<boolean>`${integrationId} in (
          case when values #> '{source,enabled}' = 'true' then values #>> '{source,secretName}'
          else values #>> '{container,pullSecretName}' end
        )`)
        .orderBy('created_at')
        .execute(),
    async deployedCommit(appId) {
      return await servingRevision(db, appId);
    },
    async idsOnEngine(ownerId) {
      const rows = await appsOnEngine(db, ownerId).select('id').execute();
      return rows.map(({ id }) => id);
    },
    listNames: () =>
      existing()
        .select([
          'id',
          sql<string>`coalesce(values ->> 'name', '')`.as('name'),
          sql<string>`coalesce(values ->> 'projectId', '')`.as('projectId'),
        ])
        .orderBy('created_at')
        .limit(MAX_NAMES)
        .execute(),
    async existingAmong(appIds) {
      const ids = appIds.filter((id) => UUID.test(id));
      if (ids.length === 0) return [];
      const rows = await existing().select('id').where('id', 'in', ids).execute();
      return rows.map(({ id }) => id);
    },
    async listPublic(which) {
      const { rows } = await sql<PublicApp>`
        select app.id, app.user_id as "ownerId", jsonb_build_object(
          'name', app.values -> 'name', 'instances', app.values -> 'instances',
          'publicAccess', app.values -> 'publicAccess', 'ports', app.values -> 'ports'
        ) as values, coalesce(claimed.routed, '[]') as routed
        from ${existing().selectAll()} as app
        left join (
          select app_id, jsonb_agg(jsonb_build_object(
            'domain', domain, 'isProved', proof is not null and missing_since is null
          )) as routed
          from deploy.domain_claims where is_routed group by app_id
        ) as claimed on claimed.app_id = app.id
        where app.values #> '{publicAccess,enabled}' = 'true' and ${isListed(which)}
        order by app.created_at, app.id
      `.execute(db);
      return rows;
    },
    async deletedAmong(appIds) {
      if (appIds.length === 0) return [];
      const rows = await db
        .selectFrom('public.resources')
        .select(['id', 'user_id'])
        .where('chart_name', '=', chartNameOf('app'))
        .where('deleted', '=', true)
        .where('id', 'in', appIds)
        .execute();
      return rows.map(({ id, user_id }) => ({ id, ownerId: user_id }));
    },
  };
}

/** The user's apps that may run or have files: also deleted ones whose removal is not complete. */
export function appsOnEngine(db: Database, ownerId: string) {
  return db
    .selectFrom('public.resources')
    .where('chart_name', '=', chartNameOf('app'))
    .where('user_id', '=', ownerId)
    .where((row) =>
      row.or([row('deleted', '=', false), row('observed_generation', '<>', row.ref('generation'))]),
    );
}

/** A condition for `app`, and for `claimed`, the domains that it serves. */
function isListed(which: PublicApps | undefined) {
  if (which === undefined) return sql`true`;
  if (which === 'with-custom-domain') return sql`claimed.app_id is not null`;
  return sql`app.user_id = ${which.ownerId} and app.values ->> 'projectId' = ${which.projectId}`;
}

type AppRow = { id: string; user_id: string; values: unknown; pin: unknown };

function toApp(row: AppRow | undefined): App | undefined {
  if (row === undefined) return undefined;
  const { id, user_id: ownerId, values, pin } = row;
  return { id, ownerId, values: values as App['values'], pin: decodePin(pin) };
}
