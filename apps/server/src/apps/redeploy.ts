import { chartNameOf, type ReleaseCause } from '@longshore/contract';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { updateResource } from '../db/resources.ts';
import { type EditContext, lockApp, redeployColumns } from './change-app.ts';
import type { AppRules } from './check-app-values.ts';
import { requireDeployPermission } from './deploy-permission.ts';

/** Requests a new release with the same values, because what they refer to has changed. `db` may be a transaction. */
export async function redeploy(db: Database, appId: string, cause: ReleaseCause): Promise<void> {
  await db
    .updateTable('public.resources')
    .set({ redeploys: sql<string>`redeploys + 1`, cause: JSON.stringify(cause) })
    .where('id', '=', appId)
    .where('chart_name', '=', chartNameOf('app'))
    .where('deleted', '=', false)
    .execute();
}

/** Redeploys on request of an editor. Returns false if the app does not exist or the editor may not change it. */
export async function redeployAsEditor(
  tx: Database,
  appId: string,
  { editor, rules }: Pick<EditContext, 'editor' | 'rules'>,
): Promise<boolean> {
  const app = await lockApp(tx, appId, editor);
  if (app === undefined) return false;
  await requireMayRedeploy(tx, app.ownerId, rules);
  await updateResource(tx, appId, redeployColumns({ editor }));
  return true;
}

/** Redeploys because the app's deploy hook was called, if its owner may. Returns false if the app does not exist. */
export async function redeployByHook(
  tx: Database,
  appId: string,
  rules: RedeployRules,
): Promise<boolean> {
  const app = await lockApp(tx, appId, { role: 'admin' });
  if (app === undefined) return false;
  await requireMayRedeploy(tx, app.ownerId, rules);
  await redeploy(tx, appId, { kind: 'deploy-hook' });
  return true;
}

type RedeployRules = Pick<AppRules, 'deployPolicy' | 'quotas'>;

async function requireMayRedeploy(
  tx: Database,
  ownerId: string,
  { deployPolicy, quotas }: RedeployRules,
): Promise<void> {
  await requireDeployPermission(tx, ownerId, deployPolicy);
  await quotas.requireMayDeploy(tx, ownerId);
}
