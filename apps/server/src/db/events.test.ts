import { releaseValues } from '@longshore/contract';
import { eventually } from '@longshore/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backend, startBackend } from '../../test/backend.ts';
import { appValues, VARIABLES } from '../../test/values.ts';
import { createReconcilerStore, type ReconcilerStore } from '../apps/reconciler-store.ts';
import { redeploy } from '../apps/redeploy.ts';
import type { RowsChange } from './change.ts';
import { listenToChanges } from './changes.ts';

const values = releaseValues(appValues('project'));
let backend: Backend;
let store: ReconcilerStore;
let ownerId: string;
beforeAll(async () => {
  backend = await startBackend();
  store = createReconcilerStore({ db: backend.db, variables: VARIABLES });
  ownerId = (await backend.signUp()).user.id;
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

async function addRow(chartName = 'longshore-app'): Promise<string> {
  const values = JSON.stringify(appValues('project'));
  const row = { user_id: ownerId, chart_name: chartName, chart_version: '0.0', values };
  const inserted = backend.db.insertInto('public.resources').values(row).returning('id');
  return (await inserted.executeTakeFirstOrThrow()).id;
}

function edit(id: string, change: { values?: Record<string, unknown>; deleted?: boolean }) {
  const { values, ...rest } = change;
  const newValues = values && { values: JSON.stringify({ ...appValues('project'), ...values }) };
  const set = { ...rest, ...newValues };
  return backend.db.updateTable('public.resources').set(set).where('id', '=', id).execute();
}

async function eventsOf(appId: string): Promise<[string, unknown][]> {
  const events = await backend.db
    .selectFrom('deploy.events')
    .select(['kind', 'details', 'user_id'])
    .where('app_id', '=', appId)
    .orderBy('id')
    .execute();
  for (const event of events) expect(event.user_id).toBe(ownerId);
  return events.map(({ kind, details }) => [kind, details]);
}

describe('the events of an app', () => {
  it('record what its owner did, with the names of changed values', async () => {
    const appId = await addRow();
    await edit(appId, { values: { env: { TOKEN: 'first', KEPT: 'x' }, name: 'other' } });
    await edit(appId, { values: { env: { TOKEN: 'second', KEPT: 'x' }, name: 'other' } });
    await edit(appId, { values: { instances: 0 } });
    await edit(appId, { values: {} });
    await redeploy(backend.db, appId, { kind: 'edit' });
    await edit(appId, { deleted: true });
    await redeploy(backend.db, appId, { kind: 'edit' });
    await edit(appId, { deleted: false });
    expect(await eventsOf(appId)).toEqual([
      ['created', {}],
      ['edited', { changed: ['env.KEPT', 'env.TOKEN', 'name'] }],
      ['edited', { changed: ['env.TOKEN'] }],
      ['hibernated', { changed: ['env.KEPT', 'env.TOKEN', 'instances', 'name'] }],
      ['woken', { changed: ['instances'] }],
      ['redeployed', { changed: [] }],
      ['deleted', { changed: [] }],
      ['restored', { changed: [] }],
    ]);
  });

  it('record the course of its releases', async () => {
    const appId = await addRow();
    const add = () => store.addRelease({ appId, generation: 1, desiredHash: 'w', values });
    await add();
    const second = await add();
    await store.addPhase(appId, second.number, 'building');
    const failure = { outcome: 'failed', reason: 'build-failed' } as const;
    const evidence = ['a line of its log'];
    await store.endRelease({ appId, number: second.number, ...failure, evidence });
    const third = await add();
    await store.endRelease({ appId, number: third.number, outcome: 'live' });
    expect((await eventsOf(appId)).slice(1)).toEqual([
      ['release-started', { release: 1 }],
      ['release-superseded', { release: 1 }],
      ['release-started', { release: 2 }],
      ['release-failed', { release: 2, reason: 'build-failed' }],
      ['release-started', { release: 3 }],
      ['release-live', { release: 3 }],
    ]);
  });

  it('are not recorded for statuses, edits without a change, and projects', async () => {
    const appId = await addRow();
    await store.report({ appId, generation: 1, status: 'synced', message: '' });
    await edit(appId, { values: {} });
    expect((await eventsOf(appId)).map(([kind]) => kind)).toEqual(['created']);
    expect(await eventsOf(await addRow('project'))).toEqual([]);
  });

  it('cannot be changed', async () => {
    await addRow();
    await expect(backend.pool.query("update deploy.events set kind = 'edited'")).rejects.toThrow(
      'Events are not edited',
    );
  });
});

it('notifies about new events and releases', async () => {
  const received: RowsChange[] = [];
  const onError = (error: unknown) => void backend.errors.push(error);
  const changes = await listenToChanges({ connection: backend.connection, onError });
  changes.listen((change) => void (change.kind === 'rows' && received.push(change.change)));
  const appId = await addRow();
  await eventually(() => received.length === 1, 'the event');
  await store.addRelease({ appId, generation: 1, desiredHash: 'w', values });
  await eventually(() => received.length === 3, 'the release and its event');
  await changes.stop();
  expect(received.map(({ table }) => table).sort()).toEqual(['events', 'events', 'releases']);
  expect(new Set(received.map(({ userId }) => userId))).toEqual(new Set([ownerId]));
});
