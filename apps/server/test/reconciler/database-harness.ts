import {
  type AppValues,
  chartNameOf,
  decodeObservedState,
  type ObservedState,
  type ReleaseOutcome,
} from '@longshore/contract';
import { eventually } from '@longshore/testkit';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { createReconcilerStore } from '../../src/apps/reconciler-store.ts';
import { createSleep } from '../../src/apps/sleep.ts';
import type { ResourceChange, RowsChange } from '../../src/db/change.ts';
import { listenToChanges } from '../../src/db/changes.ts';
import { type Backend, startBackend } from '../backend.ts';
import { appValues, storedValues, VARIABLES } from '../values.ts';
import type { StoredRelease, StoredStatus } from './stored-records.ts';

/** A user's apps and all notifications about them, on a real database. */
export async function createDatabaseHarness() {
  const backend: Backend = await startBackend();
  const ownerId = (await backend.signUp()).user.id;
  const { db } = backend;
  const notifications: ResourceChange[] = [];
  const changedRows: RowsChange[] = [];
  const changes = await listenToChanges({
    connection: backend.connection,
    onError: (error) => void backend.errors.push(error),
  });
  changes.listen((change) => {
    if (change.kind === 'resource') notifications.push(change.change);
    if (change.kind === 'rows') changedRows.push(change.change);
  });

  async function addApp(kind: 'app' | 'project' = 'app'): Promise<string> {
    const { id } = await db
      .insertInto('public.resources')
      .values({
        user_id: ownerId,
        chart_name: chartNameOf(kind),
        chart_version: '0.0',
        values: JSON.stringify(appValues('project')),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  function update(appId: string) {
    return db.updateTable('public.resources').where('id', '=', appId);
  }

  /** Notifications arrive in order, so a later one proves that all earlier ones have arrived. */
  async function notificationsOf(appId: string): Promise<ResourceChange[]> {
    const last = await addApp('project');
    await eventually(() => notifications.some(({ id }) => id === last), 'the last notification');
    return notifications.filter(({ id }) => id === appId);
  }

  return {
    db,
    store: createReconcilerStore({ db, variables: VARIABLES }),
    sleep: createSleep({ db, quotas: backend.quotas }),
    ownerId,
    query: async (text: string) => (await backend.pool.query(text)).rows,
    addApp,
    notificationsOf,
    /** Notifications about rows of other tables. */
    async changedRows(): Promise<RowsChange[]> {
      await notificationsOf('');
      return changedRows.splice(0);
    },
    async editApp(appId: string, change: Partial<AppValues>) {
      const values = await storedValues(db, appId, { ...appValues('project'), ...change });
      await update(appId).set({ values }).execute();
    },
    async deleteApp(appId: string) {
      await update(appId).set({ deleted: true }).execute();
    },
    async statusOf(appId: string): Promise<StoredStatus> {
      const row = await rowOf(appId);
      return {
        status: (row.status ?? undefined) as StoredStatus['status'],
        message: row.message ?? undefined,
        observedGeneration: Number(row.observed_generation),
      };
    },
    async observedOf(appId: string): Promise<ObservedState> {
      return decodeObservedState(await rowOf(appId));
    },
    rowOf,
    releaseRows,
    releasesOf: async (appId: string) => (await releaseRows(appId)).map(storedRelease),
    async changeReleases(appId: string, change: string) {
      await backend.pool.query(`update deploy.releases set ${change} where app_id = $1`, [appId]);
    },
    changesOf: async (appId: string) => (await notificationsOf(appId)).length,
    async clear() {
      await changes.stop();
      expect(backend.errors).toEqual([]);
      await backend.stop();
    },
  };

  async function releaseRows(appId: string) {
    return await db
      .selectFrom('deploy.releases')
      .selectAll()
      .where('app_id', '=', appId)
      .orderBy('number')
      .execute();
  }

  async function rowOf(appId: string) {
    return await db
      .selectFrom('public.resources')
      .selectAll()
      .select(sql<number>`extract(epoch from updated_at)`.as('updated'))
      .where('id', '=', appId)
      .executeTakeFirstOrThrow();
  }
}

type ReleaseRow = {
  number: number;
  generation: string;
  wish: string;
  made_of: unknown;
  env: unknown;
  from_release: number | null;
  build_inputs: unknown;
  message: string | null;
  outcome: ReleaseOutcome | null;
  reason: string | null;
  evidence: unknown;
  fixes: unknown;
  detected: unknown;
  revision: string | null;
  phases: unknown;
  ended_at: Date | null;
};

function storedRelease(row: ReleaseRow): StoredRelease {
  const phases = row.phases as { phase: StoredRelease['phases'][number]['phase']; at: string }[];
  return {
    number: row.number,
    generation: Number(row.generation),
    desiredHash: row.wish,
    values: { ...(row.made_of as object), env: row.env } as StoredRelease['values'],
    from: row.from_release ?? undefined,
    inputs: (row.build_inputs ?? undefined) as StoredRelease['inputs'],
    message: row.message ?? undefined,
    outcome: row.outcome ?? undefined,
    reason: (row.reason ?? undefined) as StoredRelease['reason'],
    evidence: row.evidence as string[],
    fixes: row.fixes as StoredRelease['fixes'],
    detected: row.detected as StoredRelease['detected'],
    revision: row.revision ?? undefined,
    phases: phases.map(({ phase, at }) => ({ phase, at: Date.parse(at) })),
    endedAt: row.ended_at?.getTime(),
  };
}
