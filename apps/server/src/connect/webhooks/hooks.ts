import { createApps } from '../../apps/apps.ts';
import type { Database } from '../../db/database.ts';

/** Where a hook is registered at the provider, and its id there. */
export type Registration = { integrationId: string; repository: string; providerHookId: string };

export type Hook = { id: string; appId: string; registration: Registration | undefined };

export type Hooks = {
  ofApp(appId: string): Promise<Hook | undefined>;
  ofIntegration(integrationId: string): Promise<Hook[]>;
  appIdOf(hookId: string): Promise<string | undefined>;
  ofDeletedApps(): Promise<(Hook & { ownerId: string })[]>;
  /** Returns the existing hook if the app has one. */
  add(appId: string): Promise<Hook>;
  /** Undefined: the hook is no longer registered at a provider. */
  register(hookId: string, registration: Registration | undefined): Promise<void>;
  remove(hookId: string): Promise<void>;
};

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export function createHooks(db: Database): Hooks {
  const hooks = () => db.selectFrom('connect.hooks as hook').selectAll('hook');

  return {
    async ofApp(appId) {
      const row = await hooks().where('hook.app_id', '=', appId).executeTakeFirst();
      return row && toHook(row);
    },
    async ofIntegration(integrationId) {
      const rows = await hooks().where('hook.integration_id', '=', integrationId).execute();
      return rows.map(toHook);
    },
    async appIdOf(hookId) {
      if (!UUID.test(hookId)) return undefined;
      return (await hooks().where('hook.id', '=', hookId).executeTakeFirst())?.app_id;
    },
    async ofDeletedApps() {
      const all = (await hooks().execute()).map(toHook);
      const deleted = await createApps(db).deletedAmong(all.map(({ appId }) => appId));
      const ownerOf = new Map(deleted.map(({ id, ownerId }) => [id, ownerId]));
      return all.flatMap((hook) => {
        const ownerId = ownerOf.get(hook.appId);
        return ownerId === undefined ? [] : [{ ...hook, ownerId }];
      });
    },
    async add(appId) {
      const added = db.insertInto('connect.hooks').values({ app_id: appId });
      await added.onConflict((conflict) => conflict.doNothing()).execute();
      return toHook(await hooks().where('hook.app_id', '=', appId).executeTakeFirstOrThrow());
    },
    async register(hookId, registration) {
      await db
        .updateTable('connect.hooks')
        .set({
          integration_id: registration?.integrationId ?? null,
          repository: registration?.repository ?? null,
          provider_hook_id: registration?.providerHookId ?? null,
        })
        .where('id', '=', hookId)
        .execute();
    },
    async remove(hookId) {
      await db.deleteFrom('connect.hooks').where('id', '=', hookId).execute();
    },
  };
}

type HookRow = {
  id: string;
  app_id: string;
  integration_id: string | null;
  repository: string | null;
  provider_hook_id: string | null;
};

function toHook({ id, app_id, integration_id, repository, provider_hook_id }: HookRow): Hook {
  const isRegistered = integration_id !== null && repository !== null && provider_hook_id !== null;
  return {
    id,
    appId: app_id,
    registration: isRegistered
      ? { integrationId: integration_id, repository, providerHookId: provider_hook_id }
      : undefined,
  };
}
