import { randomUUID } from 'node:crypto';
import {
  type AppValues,
  chartNameOf,
  INSERT_RESOURCE,
  type Session,
  UPDATE_RESOURCE,
} from '@longshore/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bearer } from '../../../test/backend.ts';
import {
  AS_ADMIN,
  type GraphqlFixture,
  startGraphqlFixture,
} from '../../../test/graphql/graphql-fixture.ts';
import { TIERS } from '../../../test/tiers.ts';
import { APP_RULES, appValues, VARIABLES } from '../../../test/values.ts';
import { createOwnerLimits } from '../../apps/account-usage.ts';
import { createApp } from '../../apps/change-app.ts';
import { NO_LIMITS } from '../../apps/quota.ts';
import { createReconcilerStore } from '../../apps/reconciler-store.ts';
import { createSleep } from '../../apps/sleep.ts';

const MAX_APPS = 4;
const MAX_AWAKE = 2;
const TIER_BYTES = 512 * 1024 ** 2;
const PARALLEL = 50;

const NO_ROOM_FOR_APP = {
  message: `App limit reached: ${MAX_APPS} of ${MAX_APPS} apps in use. Delete an app, or ask the operator for a higher limit.`,
  extensions: { code: 'constraint-violation' },
};
const NO_MEMORY = {
  message:
    'Memory limit reached: awake apps use 1024 of 1024 MB, and this app needs 512 MB. Hibernate or delete an app, or ask the operator for a higher limit.',
  extensions: { code: 'constraint-violation' },
};
const STILL_STOPPING =
  'An app that is stopping counts until it has stopped: try again in a moment.';
const ANONYMOUS = {
  message: 'Anonymous users cannot deploy apps. Sign up with an email address, then try again.',
  extensions: { code: 'constraint-violation' },
};

const CREATE =
  'mutation ($app: resources_insert_input!) { insert_resources_one(object: $app) { id } }';
const SET_INSTANCES =
  'mutation ($where: resources_bool_exp!, $values: jsonb!) { update_resources(where: $where, _append: {values: $values}) { affected_rows } }';
const SET_DELETED =
  'mutation ($id: uuid!, $deleted: Boolean!) { update_resources_by_pk(pk_columns: {id: $id}, _set: {deleted: $deleted}) { id } }';

/** Ada is the first account and so the operator. Each test has its own Eve. */
let graphql: GraphqlFixture;
let eve: Session;
let projectId: string;
beforeAll(async () => {
  const quota = { apps: MAX_APPS, memoryBytes: MAX_AWAKE * TIER_BYTES };
  graphql = await startGraphqlFixture({ quota });
});
afterAll(() => graphql.stop());
beforeEach(async () => {
  eve = await graphql.backend.signUp();
  projectId = await graphql.createProject(eve);
});

const newApp = (changes: Partial<AppValues> = {}, owner = eve, project = projectId) => ({
  user_id: owner.user.id,
  chart_name: chartNameOf('app'),
  chart_version: '0.0',
  values: { ...appValues(project), name: `app-${randomUUID().slice(0, 8)}`, ...changes },
});

const create = (changes: Partial<AppValues> = {}) =>
  graphql.request(CREATE, { app: newApp(changes) }, bearer(eve));

/** As a version without quotas stored it. */
async function store(changes: Partial<AppValues> = {}, owner = eve): Promise<string> {
  const row = newApp(changes, owner);
  const { id } = await graphql.backend.db
    .insertInto('public.resources')
    .values({ ...row, values: JSON.stringify(row.values), status: 'synced' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const storeMany = (count: number, changes: Partial<AppValues> = {}) =>
  Promise.all(Array.from({ length: count }, () => store(changes)));

const setInstances = (id: string, instances: 0 | 1) =>
  graphql.request(
    SET_INSTANCES,
    { where: { id: { _eq: id } }, values: { instances } },
    bearer(eve),
  );

const setDeleted = (id: string, deleted: boolean) =>
  graphql.request(SET_DELETED, { id, deleted }, bearer(eve));

async function counts(owner = eve): Promise<{ apps: number; awake: number }> {
  const rows = await graphql.backend.db
    .selectFrom('public.resources')
    .select('values')
    .where('user_id', '=', owner.user.id)
    .where('chart_name', '=', chartNameOf('app'))
    .where('deleted', '=', false)
    .execute();
  const awake = rows.filter(({ values }) => (values as AppValues).instances === 1);
  return { apps: rows.length, awake: awake.length };
}

const ASLEEP = { instances: 0 };

/** As the reconciler reports it after an app has stopped. */
async function reportStopped(id: string): Promise<void> {
  const reconcilerStore = createReconcilerStore({ db: graphql.backend.db, variables: VARIABLES });
  const { generation = 0 } = (await reconcilerStore.app(id)) ?? {};
  await reconcilerStore.report({ appId: id, generation, status: 'synced', message: '' });
}

describe('at the limit of apps', () => {
  beforeEach(() => storeMany(MAX_APPS, ASLEEP));

  it.each<[string, () => ReturnType<typeof create>]>([
    ['a new app', () => create(ASLEEP)],
    [
      'a new app by the operation of the console',
      () => {
        const { user_id, chart_name, chart_version, values } = newApp(ASLEEP);
        const variables = { userId: user_id, chartName: chart_name, chartVersion: chart_version };
        return graphql.request(INSERT_RESOURCE, { ...variables, values }, bearer(eve));
      },
    ],
    [
      'a new app by the admin secret',
      () => graphql.request(CREATE, { app: newApp(ASLEEP) }, AS_ADMIN),
    ],
    [
      'an upsert with a new id',
      () =>
        graphql.request(
          'mutation ($app: resources_insert_input!) { insert_resources_one(object: $app, on_conflict: {constraint: resources_pkey, update_columns: [values]}) { id } }',
          { app: { ...newApp(ASLEEP), id: randomUUID() } },
          AS_ADMIN,
        ),
    ],
  ])('refuses %s', async (_, request) => {
    expect((await request()).errors).toMatchObject([NO_ROOM_FOR_APP]);
    expect(await counts()).toEqual({ apps: MAX_APPS, awake: 0 });
  });

  it('refuses to restore a deleted app until another one is deleted', async () => {
    const deleted = await store(ASLEEP);
    await setDeleted(deleted, true);
    expect((await setDeleted(deleted, false)).errors).toMatchObject([NO_ROOM_FOR_APP]);
    const { id } = await graphql.backend.db
      .selectFrom('public.resources')
      .select('id')
      .where('user_id', '=', eve.user.id)
      .where('deleted', '=', false)
      .where('chart_name', '=', chartNameOf('app'))
      .executeTakeFirstOrThrow();
    expect((await setDeleted(id, true)).errors).toBeUndefined();
    expect((await setDeleted(deleted, false)).errors).toBeUndefined();
    expect(await counts()).toEqual({ apps: MAX_APPS, awake: 0 });
  });
});

it('refuses all of several new apps if there is room for some of them', async () => {
  await storeMany(MAX_APPS - 1, ASLEEP);
  const query =
    'mutation ($apps: [resources_insert_input!]!) { insert_resources(objects: $apps) { affected_rows } }';
  const apps = [newApp(ASLEEP), newApp(ASLEEP)];
  expect((await graphql.request(query, { apps }, bearer(eve))).errors).toMatchObject([
    NO_ROOM_FOR_APP,
  ]);
  const fields =
    'mutation ($a: resources_insert_input!, $b: resources_insert_input!) { a: insert_resources_one(object: $a) { id } b: insert_resources_one(object: $b) { id } }';
  const [a, b] = apps;
  expect((await graphql.request(fields, { a, b }, bearer(eve))).errors).toMatchObject([
    NO_ROOM_FOR_APP,
  ]);
  expect(await counts()).toEqual({ apps: MAX_APPS - 1, awake: 0 });
});

describe('at the limit of memory', () => {
  let awake: string[];
  beforeEach(async () => {
    awake = await storeMany(MAX_AWAKE);
  });

  it('refuses a new awake app, but not a hibernated one', async () => {
    expect((await create()).errors).toMatchObject([NO_MEMORY]);
    expect((await create(ASLEEP)).errors).toBeUndefined();
  });

  it('refuses to wake an app until another one is hibernated', async () => {
    const asleep = await store(ASLEEP);
    expect((await setInstances(asleep, 1)).errors).toMatchObject([NO_MEMORY]);
    const [first] = awake as [string];
    await setInstances(first, 0);
    expect((await setInstances(asleep, 1)).errors?.[0]?.message).toContain(STILL_STOPPING);
    await reportStopped(first);
    expect((await setInstances(asleep, 1)).errors).toBeUndefined();
    expect(await counts()).toEqual({ apps: MAX_AWAKE + 1, awake: MAX_AWAKE });
  });

  it('counts a deleted app until it is removed', async () => {
    const [first] = awake as [string];
    await setInstances(first, 0);
    await setDeleted(first, true);
    expect((await create()).errors?.[0]?.message).toContain(STILL_STOPPING);
    await reportStopped(first);
    expect((await create()).errors).toBeUndefined();
  });

  it('can wake an app again while it is stopping', async () => {
    const [first] = awake as [string];
    await setInstances(first, 0);
    expect((await setInstances(first, 1)).errors).toBeUndefined();
  });

  it('refuses to wake several apps at once', async () => {
    await storeMany(2, ASLEEP);
    await setInstances(awake[0] as string, 0);
    await reportStopped(awake[0] as string);
    const all = { where: { chart_name: { _eq: chartNameOf('app') } }, values: { instances: 1 } };
    expect((await graphql.request(SET_INSTANCES, all, bearer(eve))).errors).toMatchObject([
      NO_MEMORY,
    ]);
    expect((await counts()).awake).toBe(MAX_AWAKE - 1);
  });

  it('refuses a larger size until another app has stopped, and says what it needs', async () => {
    const [first, second] = awake as [string, string];
    const setSize = (resourceTier: string) =>
      graphql.request(
        SET_INSTANCES,
        { where: { id: { _eq: first } }, values: { resourceTier } },
        bearer(eve),
      );
    expect((await setSize('t2')).errors?.[0]?.message).toBe(
      'Memory limit reached: awake apps use 512 of 1024 MB, and this app needs 1024 MB. Hibernate or delete an app, or ask the operator for a higher limit.',
    );
    await setInstances(second, 0);
    expect((await setSize('t2')).errors?.[0]?.message).toContain(STILL_STOPPING);
    await reportStopped(second);
    expect((await setSize('t2')).errors).toBeUndefined();
    expect((await setInstances(second, 1)).errors?.[0]?.message).toContain('use 1024 of 1024 MB');
    expect((await setSize('t1')).errors).toBeUndefined();
    expect((await setInstances(second, 1)).errors).toBeUndefined();
  });

  it('counts every instance of an app, until those that are not needed have left', async () => {
    const [first, second] = awake as [string, string];
    await setInstances(second, 0);
    await reportStopped(second);
    const setReplicas = (replicas: number) =>
      graphql.request(
        SET_INSTANCES,
        { where: { id: { _eq: first } }, values: { replicas } },
        bearer(eve),
      );
    expect((await setReplicas(3)).errors?.[0]?.message).toContain('this app needs 1536 MB');
    expect((await setReplicas(2)).errors).toBeUndefined();
    expect((await setInstances(second, 1)).errors?.[0]?.message).toContain('use 1024 of 1024 MB');
    const { db } = graphql.backend;
    const reconcilerStore = createReconcilerStore({ db, variables: VARIABLES });
    const serving = { release: 1, logName: 'a-1', logNames: ['a-1', 'a-2'], hosts: [] };
    await reconcilerStore.setServing(first, serving);
    expect((await setReplicas(1)).errors).toBeUndefined();
    expect((await setInstances(second, 1)).errors?.[0]?.message).toContain('use 1024 of 1024 MB');
    await reconcilerStore.setServing(first, { release: 1, logName: 'a-1', hosts: [] });
    expect((await setInstances(second, 1)).errors).toBeUndefined();
  });

  it('counts the instances of all processes, and those of the Procfile that serves', async () => {
    const [first, second] = awake as [string, string];
    await setInstances(second, 0);
    await reportStopped(second);
    const setWorkers = (replicas: number) =>
      graphql.request(
        SET_INSTANCES,
        {
          where: { id: { _eq: first } },
          values: { processes: { worker: { command: 'node worker.js', replicas } } },
        },
        bearer(eve),
      );
    expect((await setWorkers(2)).errors?.[0]?.message).toContain('this app needs 1536 MB');
    expect((await setWorkers(1)).errors).toBeUndefined();
    expect((await setInstances(second, 1)).errors?.[0]?.message).toContain('use 1024 of 1024 MB');
    expect((await setWorkers(0)).errors).toBeUndefined();
    const { db } = graphql.backend;
    const reconcilerStore = createReconcilerStore({ db, variables: VARIABLES });
    const values = appValues(projectId);
    const made = { appId: first, generation: 1, desiredHash: 'hash', values };
    const { number: release } = await reconcilerStore.addRelease(made);
    await reconcilerStore.addDetected(first, release, { processes: { clock: 'node clock.js' } });
    await reconcilerStore.setServing(first, { release, logName: 'app', hosts: [] });
    expect((await setInstances(second, 1)).errors?.[0]?.message).toContain('use 1024 of 1024 MB');
    await reconcilerStore.setServing(first, undefined);
    expect((await setInstances(second, 1)).errors).toBeUndefined();
  });

  /** Makes it the release that serves. */
  async function serveWith(appId: string, processes: Record<string, string>) {
    const { db } = graphql.backend;
    const reconcilerStore = createReconcilerStore({ db, variables: VARIABLES });
    const values = appValues(projectId);
    const made = { appId, generation: 1, desiredHash: 'hash', values };
    const { number } = await reconcilerStore.addRelease(made);
    await reconcilerStore.addDetected(appId, number, { processes });
    await reconcilerStore.endRelease({ appId, number, outcome: 'live' });
    await reconcilerStore.setServing(appId, { release: number, logName: 'app', hosts: [] });
  }

  const setValues = (id: string, values: Partial<AppValues>) =>
    graphql.request(SET_INSTANCES, { where: { id: { _eq: id } }, values }, bearer(eve));

  it('counts the processes of the Procfile when the app grows', async () => {
    const [first, second] = awake as [string, string];
    await setInstances(second, 0);
    await reportStopped(second);
    await serveWith(first, { clock: 'node clock.js' });
    expect((await setValues(first, { replicas: 2 })).errors?.[0]?.message).toContain(
      'this app needs 1536 MB',
    );
    const off = { processes: { clock: { replicas: 0 } } };
    expect((await setValues(first, { ...off, replicas: 2 })).errors).toBeUndefined();
  });

  it('counts a process without a command only if the Procfile may have it', async () => {
    const [first, second] = awake as [string, string];
    await setInstances(second, 0);
    await reportStopped(second);
    const workers = (replicas: number) => ({ processes: { worker: { replicas } } });
    expect((await setValues(first, workers(2))).errors?.[0]?.message).toContain('needs 1536 MB');
    await serveWith(first, { clock: 'node clock.js' });
    await setValues(first, { processes: { clock: { replicas: 0 } } });
    expect((await setValues(first, workers(0))).errors).toBeUndefined();
    const both = { processes: { clock: { replicas: 0 }, worker: { replicas: 2 } } };
    expect((await setValues(first, both)).errors).toBeUndefined();
    expect((await setInstances(second, 1)).errors).toBeUndefined();
  });

  it('lets processes of a Procfile that ran start again under a lower quota, but no others', async () => {
    const [appId] = awake as [string];
    let quota = { ...NO_LIMITS, memoryBytes: 3 * TIER_BYTES };
    const limits = () =>
      createOwnerLimits({
        db: graphql.backend.db,
        tiers: TIERS,
        quotas: { quotaOf: async () => quota },
        apps: { idsOnEngine: async () => [] },
        engine: { usedBytes: async () => 0, removeCaches: async () => {} },
        uploads: { usedBytes: async () => 0 },
      });
    const withProcesses = (processes: Record<string, string>) => ({
      appId,
      ownerId: eve.user.id,
      values: appValues(projectId),
      detected: { processes },
    });
    const one = withProcesses({ clock: 'node clock.js' });
    const two = withProcesses({ clock: 'node clock.js', worker: 'node worker.js' });
    const { processProblemOf } = limits();
    expect(await processProblemOf(two)).toContain('this app needs 1536 MB');
    expect(await processProblemOf(one)).toBeUndefined();
    quota = { ...quota, memoryBytes: TIER_BYTES };
    expect(await processProblemOf(one)).toBeUndefined();
    expect(await processProblemOf(two)).toContain('this app needs 1536 MB');
    const restarted = limits();
    expect(await restarted.processProblemOf(one)).toContain('this app needs 1024 MB');
    restarted.recordProcesses(one);
    expect(await restarted.processProblemOf(one)).toBeUndefined();
  });

  it('counts the size of the release that serves while it is larger', async () => {
    const [first, second] = awake as [string, string];
    await setInstances(second, 0);
    await reportStopped(second);
    const { db } = graphql.backend;
    const reconcilerStore = createReconcilerStore({ db, variables: VARIABLES });
    const values = { ...appValues(projectId), resourceTier: 't2' };
    const made = { appId: first, generation: 1, desiredHash: 'hash', values };
    const { number: release } = await reconcilerStore.addRelease(made);
    await reconcilerStore.setServing(first, { release, logName: 'app', hosts: [] });
    expect((await setInstances(second, 1)).errors?.[0]?.message).toContain('use 1024 of 1024 MB');
    await reconcilerStore.setServing(first, undefined);
    expect((await setInstances(second, 1)).errors).toBeUndefined();
  });

  it('refuses to restore an app that was awake', async () => {
    const deleted = await store();
    await setDeleted(deleted, true);
    expect((await setDeleted(deleted, false)).errors).toMatchObject([NO_MEMORY]);
  });

  it('refuses to wake an app on a request', async () => {
    const asleep = await store({ ...ASLEEP, sleep: { afterMinutes: 5 } });
    const { wake } = createSleep(graphql.backend);
    expect(await wake(asleep)).toBe('refused');
    await setInstances(awake[0] as string, 0);
    await reportStopped(awake[0] as string);
    expect(await wake(asleep)).toBe('done');
    expect(await wake(asleep)).toBe('done');
    expect((await counts()).awake).toBe(MAX_AWAKE);
  });
});

describe('an account that is over its quota since an upgrade', () => {
  let apps: string[];
  beforeEach(async () => {
    apps = await storeMany(MAX_APPS + 2);
  });

  it('can edit, redeploy, hibernate and delete its apps, but wake none', async () => {
    const [first, second, third] = apps as [string, string, string];
    const edit = { where: { id: { _eq: first } }, values: { env: { KEY: 'new' } } };
    const redeploy = 'mutation ($id: uuid!) { redeploy_app(id: $id) { id } }';
    for (const allowed of [
      await graphql.request(SET_INSTANCES, edit, bearer(eve)),
      await graphql.request(redeploy, { id: first }, bearer(eve)),
      await setInstances(second, 0),
      await setDeleted(third, true),
    ]) {
      expect(allowed.errors).toBeUndefined();
    }
    for (const stopped of [second, third]) await reportStopped(stopped);
    const used = `${(MAX_APPS + 2 - 2) * 512} of 1024 MB`;
    expect((await setInstances(second, 1)).errors?.[0]?.message).toContain(used);
    expect(await counts()).toEqual({ apps: MAX_APPS + 1, awake: MAX_APPS });
  });
});

it('does not limit the operator', async () => {
  const { ada } = graphql;
  const project = await graphql.createProject(ada);
  for (let count = 0; count <= MAX_APPS; count += 1) {
    const app = newApp({}, ada, project);
    expect((await graphql.request(CREATE, { app })).errors).toBeUndefined();
  }
  expect(await counts(ada)).toEqual({ apps: MAX_APPS + 1, awake: MAX_APPS + 1 });
});

describe('an anonymous user', () => {
  it('can deploy nothing until it registers', async () => {
    const { body } = await graphql.backend.post<{ session: Session }>(
      '/v1/auth/signin/anonymous',
      '',
    );
    eve = body.session;
    projectId = await graphql.createProject(eve);
    expect((await create()).errors).toMatchObject([ANONYMOUS]);
    expect((await create(ASLEEP)).errors).toMatchObject([ANONYMOUS]);
    const [awake, asleep] = [await store(), await store({ ...ASLEEP, sleep: { afterMinutes: 5 } })];
    expect((await setInstances(asleep, 1)).errors).toMatchObject([ANONYMOUS]);
    expect(await createSleep(graphql.backend).wake(asleep)).toBe('refused');
    const redeploy = 'mutation ($id: uuid!) { redeploy_app(id: $id) { id } }';
    expect((await graphql.request(redeploy, { id: awake }, bearer(eve))).errors).toMatchObject([
      ANONYMOUS,
    ]);
    const edit = { id: awake, values: { ...appValues(projectId), env: { KEY: 'new' } } };
    expect((await graphql.request(UPDATE_RESOURCE, edit, bearer(eve))).errors).toMatchObject([
      ANONYMOUS,
    ]);
    expect((await setInstances(awake, 0)).errors).toBeUndefined();
    expect((await setDeleted(awake, true)).errors).toBeUndefined();

    await reportStopped(awake);
    const email = `${randomUUID()}@example.com`;
    const registration = { signInMethod: 'email-password', email, password: 'correct horse' };
    await graphql.backend.post('/v1/auth/user/deanonymize', registration, bearer(eve));
    expect((await setInstances(asleep, 1)).errors).toBeUndefined();
    expect((await create()).errors).toBeUndefined();
  });
});

describe(`${PARALLEL} requests at once`, () => {
  const times = <Result>(run: (index: number) => Promise<Result>) =>
    Promise.all(Array.from({ length: PARALLEL }, (_, index) => run(index)));

  it('create as many apps as the quota allows', async () => {
    const responses = await times(() => create(ASLEEP));
    const refused = responses.filter(({ errors }) => errors !== undefined);
    expect(refused).toHaveLength(PARALLEL - MAX_APPS);
    for (const { errors } of refused) expect(errors).toMatchObject([NO_ROOM_FOR_APP]);
    expect(await counts()).toEqual({ apps: MAX_APPS, awake: 0 });
  });

  it('create as many apps as the quota allows on separate connections, in several projects', async () => {
    const { db, quotas } = graphql.backend;
    // The lock of a project would hide a missing lock of the account.
    const projects = await times(() => graphql.createProject(eve));
    const rules = { ...APP_RULES, quotas };
    const ownerId = eve.user.id;
    const results = await times((index) => {
      const { values } = newApp(ASLEEP, eve, projects[index]);
      const app = { id: undefined, ownerId, chartVersion: '0.0', values };
      const editor = { role: 'user', userId: ownerId, sessionId: undefined } as const;
      return db
        .transaction()
        .execute((tx) => createApp(tx, app, { editor, rules }))
        .then(
          () => 'created',
          (error: Error) => error.message,
        );
    });
    expect(results.filter((result) => result === 'created')).toHaveLength(MAX_APPS);
    expect(new Set(results)).toEqual(new Set(['created', NO_ROOM_FOR_APP.message]));
    expect((await counts()).apps).toBe(MAX_APPS);
  });

  it('wake as many apps as the quota allows, from the console and on requests', async () => {
    const ids = await times(() => store({ ...ASLEEP, sleep: { afterMinutes: 5 } }));
    const { wake } = createSleep(graphql.backend);
    const results = await times(async (index) => {
      const id = ids[index] as string;
      if (index % 2 === 0) return await wake(id);
      const { errors } = await setInstances(id, 1);
      if (errors === undefined) return 'done';
      expect(errors).toMatchObject([NO_MEMORY]);
      return 'refused';
    });
    expect(results.filter((result) => result === 'done')).toHaveLength(MAX_AWAKE);
    expect((await counts()).awake).toBe(MAX_AWAKE);
  });

  it('of several objects each create all or nothing, without a deadlock', async () => {
    const other = await graphql.createProject(eve, 'Other');
    const query =
      'mutation ($apps: [resources_insert_input!]!, $where: resources_bool_exp!) { insert_resources(objects: $apps) { affected_rows } update_resources(where: $where, _append: {values: {instances: 0}}) { affected_rows } }';
    const own = await store(ASLEEP);
    const responses = await times((index) => {
      const apps = [newApp(ASLEEP), newApp(ASLEEP, eve, other)];
      const variables = {
        apps: index % 2 === 0 ? apps : apps.reverse(),
        where: { id: { _eq: own } },
      };
      return graphql.request(query, variables, bearer(eve));
    });
    const refused = responses.filter(({ errors }) => errors !== undefined);
    for (const { errors } of refused) {
      expect(errors?.[0]?.message).toMatch(/^App limit reached: [34] of 4 apps in use\./);
    }
    expect(refused).toHaveLength(PARALLEL - 1);
    expect((await counts()).apps).toBe(3);
  });
});
