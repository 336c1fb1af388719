import {
  type AppValues,
  chartNameOf,
  decodePin,
  hasSameSource,
  isRecord,
  isSameJson,
  type Pin,
  progressMessage,
  retriesOnSave,
} from '@longshore/contract';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { insertResource, updateResource } from '../db/resources.ts';
import { type AppRules, checkAppValues, requireReferences } from './check-app-values.ts';
import { requireDeployPermission, startsCode } from './deploy-permission.ts';

/** Who changes an app: a user in a session, or the operator, who has no account. */
export type Editor =
  | { role: 'user'; userId: string; sessionId: string | undefined }
  | { role: 'admin' };

/** `rollback`: the release whose values are restored, and the pin of the app from then on, if the change is a rollback. */
export type EditContext = {
  editor: Editor;
  rules: AppRules;
  rollback?: { to: number; pin: Pin | undefined };
};

export type NewApp = {
  id: string | undefined;
  ownerId: string | undefined;
  chartVersion: string;
  values: unknown;
};

/** An app as its row was read, locked for update in the same transaction. */
export type LockedApp = {
  id: string;
  ownerId: string;
  values: unknown;
  status: string | null;
  deleted: boolean;
};

/** `values`: the complete new values. Undefined: they stay, and are checked again unless the app is deleted. */
export type AppChange = { deleted: boolean; values: unknown; chartVersion: string | undefined };

export async function createApp(tx: Database, app: NewApp, context: EditContext): Promise<string> {
  const { ownerId } = app;
  const values = checkAppValues(app.values, context.rules);
  if (ownerId !== undefined) {
    await requireReferences(tx, values, { ownerId, appId: undefined });
    if (startsCode(undefined, values)) {
      await requireDeployPermission(tx, ownerId, context.rules.deployPolicy);
    }
    const after = { deleted: false, values };
    await context.rules.quotas.require(tx, { appId: undefined, ownerId, before: undefined, after });
  }
  return await insertResource(tx, {
    ...(app.id === undefined ? {} : { id: app.id }),
    // The database refuses a row without an owner, with an error that names the column.
    user_id: ownerId as string,
    chart_name: chartNameOf('app'),
    chart_version: app.chartVersion,
    values: JSON.stringify(values),
    status: 'syncing',
    message: progressMessage('queued'),
    cause: causeOf(context),
  });
}

/** Deleting sets `deleted` and must work whatever the values are; any other change checks them as if they were new. */
export async function changeApp(
  tx: Database,
  app: LockedApp,
  { deleted, values, chartVersion }: AppChange,
  context: EditContext,
): Promise<void> {
  const isEdit = values !== undefined;
  // A rollback restores values that were stored before.
  const stored = context.rollback === undefined ? app.values : values;
  const checked =
    deleted && !isEdit
      ? undefined
      : checkAppValues(isEdit ? values : app.values, context.rules, stored);
  if (!deleted && checked !== undefined) {
    const { ownerId, id: appId, values: before, deleted: wasDeleted } = app;
    await requireReferences(tx, checked, { ownerId, appId, before, wasDeleted });
    if (startsCode(wasDeleted ? undefined : before, checked)) {
      await requireDeployPermission(tx, ownerId, context.rules.deployPolicy);
    }
    const after = { deleted, values: checked };
    await context.rules.quotas.require(tx, { appId, ownerId, before: app, after });
  }
  await updateResource(tx, app.id, {
    deleted,
    ...(checked === undefined ? {} : { values: JSON.stringify(checked) }),
    ...(checked !== undefined && isEdit
      ? { ...releaseColumns(app, checked, context), ...pinColumn(app, checked, context) }
      : {}),
    ...(chartVersion === undefined ? {} : { chart_version: chartVersion }),
  });
}

/** What to set so that the app gets a new release with the values it has. */
export function redeployColumns(context: Pick<EditContext, 'editor' | 'rollback'>) {
  return { cause: causeOf(context), redeploys: sql<string>`redeploys + 1` };
}

/** Locks an app that the editor may change, unless it is deleted. */
export async function lockApp(
  tx: Database,
  id: string,
  editor: Editor,
): Promise<
  | (LockedApp & {
      values: AppValues;
      generation: string;
      isRetried: boolean;
      pin: Pin | undefined;
    })
  | undefined
> {
  const query = tx
    .selectFrom('public.resources')
    .select(['id', 'user_id', 'values', 'status', 'deleted', 'generation', 'retry', 'pin'])
    .where('id', '=', id)
    .where('chart_name', '=', chartNameOf('app'))
    .where('deleted', '=', false);
  const allowed = editor.role === 'admin' ? query : query.where('user_id', '=', editor.userId);
  // Not `for update`: adding a release, which refers to the row, must not wait for it.
  const row = await allowed.forNoKeyUpdate().executeTakeFirst();
  if (row === undefined) return undefined;
  const { user_id: ownerId, status, deleted, generation, retry } = row;
  const values = row.values as AppValues;
  const [isRetried, pin] = [retry !== null, decodePin(row.pin)];
  return { id, ownerId, values, status, deleted, generation, isRetried, pin };
}

/**
 * The columns that an edit sets beside the values. Hibernating and waking do not change what a release consists of, so the
 * cause stays. Saving the same values of a failing app redeploys it.
 */
function releaseColumns(app: LockedApp, values: AppValues, context: EditContext) {
  if (!isSameJson(withOneInstance(app.values), withOneInstance(values))) {
    return { cause: causeOf(context) };
  }
  const isUnchanged = !app.deleted && isSameJson(app.values, values);
  return isUnchanged && retriesOnSave(values, app.status ?? '') ? redeployColumns(context) : {};
}

/** A rollback sets the pin. Any other change of the source ends it. */
function pinColumn(app: LockedApp, values: AppValues, { rollback }: EditContext) {
  if (rollback !== undefined) {
    return { pin: rollback.pin === undefined ? null : JSON.stringify(rollback.pin) };
  }
  return hasSource(app.values) && hasSameSource(app.values, values) ? {} : { pin: null };
}

/** Old rows may have values of any form. */
function hasSource(values: unknown): values is AppValues {
  return isRecord(values) && isRecord(values.source) && isRecord(values.container);
}

function withOneInstance(values: unknown): unknown {
  return { ...(values as AppValues), instances: 1 };
}

/** What caused the next release, shown in the release history. */
function causeOf({ editor, rollback }: Pick<EditContext, 'editor' | 'rollback'>) {
  const change = rollback === undefined ? { kind: 'edit' } : { kind: 'rollback', to: rollback.to };
  const actor =
    editor.role === 'admin'
      ? sql`'{}'::jsonb`
      : sql`deploy.person(${editor.userId}::uuid, ${editor.sessionId ?? null}::uuid)`;
  return sql<string>`${JSON.stringify(change)}::jsonb || ${actor}`;
}
