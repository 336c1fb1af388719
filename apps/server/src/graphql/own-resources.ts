import { chartNameOf } from '@longshore/contract';
import { type Selectable, sql, type Transaction } from 'kysely';
import type { Database } from '../db/database.ts';
import type { ResourcesTable, Schema } from '../db/schema.ts';
import { GraphqlProblem } from './graphql-problem.ts';
import { RESOURCE_COLUMN_NAMES, type ResourceColumn } from './resource-columns.ts';
import { type CheckedValues, checkValues, type ValueRules } from './values-check.ts';
import { conditionOf, type Where } from './where.ts';

export type ResourceRow = Pick<Selectable<ResourcesTable>, ResourceColumn>;

export type Selection = {
  where?: Where | undefined;
  orderBy?: Record<string, string | null>[] | undefined;
  limit?: number | undefined;
  offset?: number | undefined;
};

export type NewResource = {
  user_id?: string | null;
  chart_name?: string | null;
  chart_version?: string | null;
  values?: unknown;
};

export type ResourceChange = { values?: unknown; deleted?: boolean | null };

/** The rows of one user. There is no other way from GraphQL to the table, so no resolver can forget the scope. */
export type OwnResources = {
  select(selection: Selection): Promise<ResourceRow[]>;
  insert(resources: NewResource[]): Promise<ResourceRow[]>;
  update(where: Where, change: ResourceChange): Promise<ResourceRow[]>;
};

const MAX_ROWS = 10_000;
const CHECK_FAILED = 'check constraint of an insert/update permission has failed';

type Tx = Transaction<Schema>;

export function ownResources(db: Database, userId: string, rules: ValueRules): OwnResources {
  return {
    select: ({ where = {}, orderBy = [], limit, offset }) => {
      let query = ownRows(db)
        .where((builder) => conditionOf(where, builder))
        .limit(Math.min(rowCount(limit, 'limit') ?? MAX_ROWS, MAX_ROWS));
      const skipped = rowCount(offset, 'offset');
      if (skipped !== undefined) query = query.offset(skipped);
      for (const [column, direction] of orderBy.flatMap((each) => Object.entries(each))) {
        if (direction === null) throw unexpectedNull();
        const order = sql.raw(direction.replace('_nulls_', ' nulls '));
        query = query.orderBy(sql`${sql.ref(column)} ${order}`);
      }
      return query.execute();
    },
    insert: (resources) =>
      db.transaction().execute(async (tx) => {
        const rows: ResourceRow[] = [];
        for (const resource of resources) rows.push(await insertOne(tx, resource));
        return rows;
      }),
    update: (where, change) =>
      db.transaction().execute(async (tx) => {
        const found = await ownRows(tx)
          .where((builder) => conditionOf(where, builder))
          .orderBy('id')
          .forUpdate()
          .execute();
        const rows: ResourceRow[] = [];
        for (const row of found) rows.push(await updateOne(tx, row, change));
        return rows;
      }),
  };

  function ownRows(executor: Database | Tx) {
    return executor
      .selectFrom('public.resources')
      .select(RESOURCE_COLUMN_NAMES)
      .where('user_id', '=', userId);
  }

  async function insertOne(tx: Tx, resource: NewResource): Promise<ResourceRow> {
    if (resource.user_id !== userId) throw new GraphqlProblem('permission-error', CHECK_FAILED);
    const chartName = resource.chart_name ?? '';
    const checked = checkValues(chartName, resource.values, { userId, rules });
    if (checked.kind === 'app') await requirePlace(tx, checked, undefined);
    return await tx
      .insertInto('public.resources')
      .values({
        user_id: userId,
        chart_name: chartName,
        chart_version: resource.chart_version ?? '',
        values: JSON.stringify(checked.values),
        status: checked.kind === 'app' ? 'syncing' : 'synced',
        message: checked.kind === 'app' ? 'Waiting to reconcile' : null,
      })
      .returning(RESOURCE_COLUMN_NAMES)
      .executeTakeFirstOrThrow();
  }

  async function updateOne(tx: Tx, row: ResourceRow, change: ResourceChange): Promise<ResourceRow> {
    const isProject = row.chart_name === chartNameOf('project');
    if (change.deleted === true && isProject) await requireNoApps(tx, row.id);
    const deleted = change.deleted ?? row.deleted;
    // Deleting must work whatever the values are; anything else is checked as if it were new.
    const checked =
      deleted && !change.values
        ? undefined
        : checkValues(row.chart_name, change.values ?? row.values, { userId, rules });
    if (!deleted && checked?.kind === 'app') await requirePlace(tx, checked, row.id);
    return await tx
      .updateTable('public.resources')
      .set(
        checked === undefined ? { deleted } : { deleted, values: JSON.stringify(checked.values) },
      )
      .where('id', '=', row.id)
      .where('user_id', '=', userId)
      .returning(RESOURCE_COLUMN_NAMES)
      .executeTakeFirstOrThrow();
  }

  /** An app lives in an own project, under a domain nobody else has. */
  async function requirePlace(
    tx: Tx,
    app: CheckedValues & { kind: 'app' },
    appId: string | undefined,
  ) {
    await requireOwnProject(tx, app.projectId);
    if (app.customDomain !== undefined) await requireFreeDomain(tx, app.customDomain, appId);
  }

  /** Locked, so that the project cannot be deleted before the app is in it. */
  async function requireOwnProject(tx: Tx, projectId: string): Promise<void> {
    const project = await ownRows(tx)
      .where('id', '=', projectId)
      .where('chart_name', '=', chartNameOf('project'))
      .where('deleted', '=', false)
      .forShare()
      .executeTakeFirst();
    if (project === undefined) {
      throw new GraphqlProblem('validation-failed', 'values.projectId: Project ID not found');
    }
  }

  /** The one look beyond the own rows: whether a domain is taken, not by whom. Locked by the domain's name. */
  async function requireFreeDomain(
    tx: Tx,
    domain: string,
    appId: string | undefined,
  ): Promise<void> {
    await sql`select pg_advisory_xact_lock(hashtextextended(${domain}, 0))`.execute(tx);
    const taken = await tx
      .selectFrom('public.resources')
      .select('id')
      .where('chart_name', '=', chartNameOf('app'))
      .where('deleted', '=', false)
      .where(sql`values #>> '{publicAccess,domain}'`, '=', domain)
      .where(sql<boolean>`values #> '{publicAccess,enabled}' = 'true'`)
      .where(sql<boolean>`id is distinct from ${appId ?? null}::uuid`)
      .executeTakeFirst();
    if (taken !== undefined) {
      throw new GraphqlProblem(
        'constraint-violation',
        'values.publicAccess.domain: This domain already leads to another app',
      );
    }
  }

  /** Spec §5, Project deletion. */
  async function requireNoApps(tx: Tx, projectId: string): Promise<void> {
    const app = await ownRows(tx)
      .where('chart_name', '=', chartNameOf('app'))
      .where('deleted', '=', false)
      .where(sql`values ->> 'projectId'`, '=', projectId)
      .limit(1)
      .executeTakeFirst();
    if (app !== undefined) {
      throw new GraphqlProblem('constraint-violation', 'Please check dependencies first.');
    }
  }
}

function unexpectedNull(): GraphqlProblem {
  return new GraphqlProblem('validation-failed', 'unexpected null value');
}

function rowCount(count: number | undefined, argument: string): number | undefined {
  if (count === undefined || count === null || count >= 0) return count ?? undefined;
  throw new GraphqlProblem('validation-failed', `unexpected negative value for ${argument}`);
}
