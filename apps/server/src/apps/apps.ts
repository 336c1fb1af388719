import {
  type AppValues,
  AUTO_DOMAIN,
  chartNameOf,
  type DependentApp,
  decodePin,
  type Pin,
} from '@longshore/contract';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { existingResources } from '../db/resources.ts';
import { newestReleases } from './releases.ts';

/** `pin`: set while the app is pinned by a rollback. */
export type App = { id: string; ownerId: string; values: AppValues; pin: Pin | undefined };

/** Lookups of apps. Deleted apps are not found, except by `deletedAmong`. */
export type Apps = {
  find(appId: string): Promise<App | undefined>;
  /** Another owner's app, an unknown id and a malformed id all count as none. */
  findOwned(ownerId: string, appId: string): Promise<App | undefined>;
  /** Whether the user owns this app and the app belongs to this project. */
  isOwned(ownerId: string, projectId: string, appId: string): Promise<boolean>;
  /** The owner's apps that clone or pull with an integration, oldest first. */
  usingIntegration(ownerId: string, integrationId: string): Promise<DependentApp[]>;
  /** The custom domain in the app's settings, if it is public. */
  customDomainOf(appId: string): Promise<string | undefined>;
  /** Ids of the public apps with this custom domain in their settings, of any owner. */
  withCustomDomain(domain: string): Promise<string[]>;
  /** The commit of the newest release, if that release serves. */
  deployedCommit(appId: string): Promise<string | undefined>;
  /** The user's apps that may have files on the engine. */
  idsOnEngine(ownerId: string): Promise<string[]>;
  /** Those of the ids that belong to deleted apps. */
  deletedAmong(appIds: string[]): Promise<Pick<App, 'id' | 'ownerId'>[]>;
};

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** `db` may be a transaction. */
export function createApps(db: Database): Apps {
  const existing = () => existingResources(db, 'app');
  const publicApps = () =>
    existing().where(sql<boolean>`values #> '{publicAccess,enabled}' = 'true'`);

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
    async customDomainOf(appId) {
      const row = await publicApps()
        .select(sql<string>`values #>> '{publicAccess,domain}'`.as('domain'))
        .where('id', '=', appId)
        .executeTakeFirst();
      return row?.domain === AUTO_DOMAIN ? undefined : row?.domain;
    },
    async withCustomDomain(domain) {
      const rows = await publicApps()
        .select('id')
        .where(sql`values #>> '{publicAccess,domain}'`, '=', domain)
        .execute();
      return rows.map(({ id }) => id);
    },
    async deployedCommit(appId) {
      const [newest] = await newestReleases(db, appId, 1);
      return newest?.outcome === 'live' ? newest.revision : undefined;
    },
    async idsOnEngine(ownerId) {
      const rows = await appsOnEngine(db, ownerId).select('id').execute();
      return rows.map(({ id }) => id);
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

type AppRow = { id: string; user_id: string; values: unknown; pin: unknown };

function toApp(row: AppRow | undefined): App | undefined {
  if (row === undefined) return undefined;
  const { id, user_id: ownerId, values, pin } = row;
  return { id, ownerId, values: values as AppValues, pin: decodePin(pin) };
}
