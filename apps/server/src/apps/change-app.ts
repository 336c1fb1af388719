import { randomUUID } from 'node:crypto';
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
import { insertResource, invalidValue, updateResource } from '../db/resources.ts';
import { type AppRules, checkAppValues, requireReferences } from './check-app-values.ts';
import { requireDeployPermission, startsCode } from './deploy-permission.ts';
import { withPasswordHash } from './edge-password.ts';
import { readValues, unreadableNames } from './variables.ts';

/** Who changes an app: a user in a session, or the operator, who has no account. */
export type Editor =
  | { role: 'user'; userId: string; sessionId: string | undefined }
  | { role: 'admin' };

/**
 * `rollback`: the release whose values are restored, and the pin of the app from then on, if the change is a rollback.
 * `upload`: the size of the archive, if the change is an upload.
 */
export type EditContext = {
  editor: Editor;
  rules: AppRules;
  rollback?: { to: number; pin: Pin | undefined };
  upload?: { bytes: number };
};

export type NewApp = {
  id: string | undefined;
  ownerId: string | undefined;
  chartVersion: string;
  values: unknown;
};

/**
 * An app as its row was read, locked for update in the same transaction, with the values of its variables; those that cannot
 * be read are null.
 */
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
  const id = app.id === undefined ? randomUUID() : canonicalUuid(app.id);
  const checked = checkAppValues({ id, values: app.values }, context.rules);
  const values = await withPasswordHash(checked, undefined);
  if (ownerId !== undefined) {
    const { variables } = context.rules;
    await requireReferences(tx, values, { ownerId, appId: undefined, variables });
    if (startsCode(undefined, values)) {
      await requireDeployPermission(tx, ownerId, context.rules.deployPolicy);
    }
    const after = { deleted: false, values };
    await context.rules.quotas.require(tx, { appId: undefined, ownerId, before: undefined, after });
  }
  await insertResource(tx, {
    id,
    // The database refuses a row without an owner, with an error that names the column.
    user_id: ownerId as string,
    chart_name: chartNameOf('app'),
    chart_version: app.chartVersion,
    values: storedValues(id, values, context),
    status: 'syncing',
    message: progressMessage('queued'),
    cause: causeOf(context),
  });
  await context.rules.variables.store(tx, id, values.env);
  return id;
}

/** Deleting sets `deleted` and must work whatever the values are; any other change checks them as if they were new. */
export async function changeApp(
  tx: Database,
  app: LockedApp,
  { deleted, values, chartVersion }: AppChange,
  context: EditContext,
): Promise<void> {
  const isEdit = values !== undefined;
  // A rollback restores values that were stored before, and an upload may set its source.
  const isTrusted = context.rollback !== undefined || context.upload !== undefined;
  const stored = isTrusted ? values : app.values;
  const after = isEdit ? values : app.values;
  const isChecked = isEdit || !deleted;
  if (isChecked) requireReadableVariables(app.values, after);
  const checked = isChecked
    ? await withPasswordHash(
        checkAppValues({ id: app.id, values: after, before: stored }, context.rules),
        app.values,
      )
    : undefined;
  if (!deleted && checked !== undefined) {
    const { ownerId, id: appId, values: before, deleted: wasDeleted } = app;
    const { variables } = context.rules;
    await requireReferences(tx, checked, { ownerId, appId, before, wasDeleted, variables });
    if (startsCode(wasDeleted ? undefined : before, checked)) {
      await requireDeployPermission(tx, ownerId, context.rules.deployPolicy);
    }
    const counted = { deleted, values: checked };
    await context.rules.quotas.require(tx, { appId, ownerId, before: app, after: counted });
  }
  if (checked !== undefined) await context.rules.variables.store(tx, app.id, checked.env);
  await updateResource(tx, app.id, {
    deleted,
    ...(checked === undefined ? {} : { values: storedValues(app.id, checked, context) }),
    ...(checked !== undefined && isEdit
      ? { ...releaseColumns(app, checked, context), ...pinColumn(app, checked, context) }
      : {}),
    ...(chartVersion === undefined ? {} : { chart_version: chartVersion }),
  });
}

/** What to set so that the app gets a new release with the values it has. */
export function redeployColumns(context: Pick<EditContext, 'editor' | 'rollback' | 'upload'>) {
  return { cause: causeOf(context), redeploys: sql<string>`redeploys + 1` };
}

/** Locks an app that the editor may change, unless it is deleted. */
export async function lockApp(
  tx: Database,
  id: string,
  editor: Editor,
): Promise<Omit<LockedRow, 'values'> | undefined> {
  return await lockRow(tx, id, editor);
}

/** The same, with its values. */
export async function lockAppWithValues(
  tx: Database,
  id: string,
  { editor, rules }: Pick<EditContext, 'editor' | 'rules'>,
): Promise<(LockedRow & { values: AppValues }) | undefined> {
  const row = await lockRow(tx, id, editor);
  const [app] = await readValues(rules.variables, tx, row === undefined ? [] : [row]);
  return app && { ...app, values: app.values as AppValues };
}

type LockedRow = LockedApp & { generation: string; isRetried: boolean; pin: Pin | undefined };

async function lockRow(tx: Database, id: string, editor: Editor): Promise<LockedRow | undefined> {
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
  const { user_id: ownerId, values, status, deleted, generation, retry } = row;
  const [isRetried, pin] = [retry !== null, decodePin(row.pin)];
  return { id, ownerId, values, status, deleted, generation, isRetried, pin };
}

/** A variable whose stored value cannot be read has to be set again, or removed. */
function requireReadableVariables(before: unknown, after: unknown): void {
  const unreadable = unreadableNames(isRecord(before) ? before.env : undefined);
  const env = isRecord(after) && isRecord(after.env) ? after.env : {};
  const [name] = unreadable.filter((each) => env[each] === null);
  if (name === undefined) return;
  throw invalidValue(`env.${name}`, 'The stored value cannot be read. Set it again or remove it');
}

/** What the row of an app has: the hashes of its variables. */
function storedValues(id: string, values: AppValues, { rules }: EditContext): string {
  return JSON.stringify({ ...values, env: rules.variables.hashesOf(id, values.env) });
}

/** As Postgres writes it: variables are sealed for exactly this id. Anything else is refused by the database. */
function canonicalUuid(id: string): string {
  const digits = id.toLowerCase().replaceAll(/[{}-]/g, '');
  const groups = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(
    digits,
  );
  return groups === null ? id : groups.slice(1).join('-');
}

/**
 * The columns that an edit sets beside the values. Hibernating, waking, edge settings and watch paths do not change what a
 * release consists of, so the cause stays. Saving the same values of a failing app redeploys it, and so does the upload of
 * the same archive.
 */
function releaseColumns(app: LockedApp, values: AppValues, context: EditContext) {
  if (!isSameJson(releasePart(app.values), releasePart(values))) {
    return { cause: causeOf(context) };
  }
  if (context.upload !== undefined) return redeployColumns(context);
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

function releasePart(values: unknown): unknown {
  const { instances: _, edge: __, watchPaths: ___, ...others } = values as AppValues;
  return others;
}

/** What caused the next release, shown in the release history. */
function causeOf({ editor, ...context }: Pick<EditContext, 'editor' | 'rollback' | 'upload'>) {
  const change = changeOf(context);
  const actor =
    editor.role === 'admin'
      ? sql`'{}'::jsonb`
      : sql`deploy.person(${editor.userId}::uuid, ${editor.sessionId ?? null}::uuid)`;
  return sql<string>`${JSON.stringify(change)}::jsonb || ${actor}`;
}

function changeOf({ rollback, upload }: Pick<EditContext, 'rollback' | 'upload'>) {
  if (upload !== undefined) return { kind: 'upload', bytes: upload.bytes };
  return rollback === undefined ? { kind: 'edit' } : { kind: 'rollback', to: rollback.to };
}
