import { randomUUID } from 'node:crypto';
import { releaseValues, type Session } from '@longshore/contract';
import type { AppCounters } from '@longshore/edge-contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReconcilerStore } from '../src/apps/reconciler-store.ts';
import { createTraffic } from '../src/apps/traffic.ts';
import { createUsageRows } from '../src/apps/usage-rows.ts';
import { isStream } from '../src/graphql/execute-stream.ts';
import { createExecutor, type Executor } from '../src/graphql/executor.ts';
import type { GraphqlCaller } from '../src/graphql/resolve-caller.ts';
import { createSchemas } from '../src/graphql/schema/create-schemas.ts';
import { TABLES } from '../src/graphql/tables/tables.ts';
import { AS_ADMIN, type GraphqlFixture, startGraphqlFixture } from './graphql/graphql-fixture.ts';
import { type Attack, attacksOf, type Rows } from './graphql-attacks.ts';
import { APP_RULES, appValues, VARIABLES } from './values.ts';

/**
 * Eve uses Ada's rows in every field and argument of her schema, and must get the same result as for rows that do not
 * exist. The attempts come from the schema: a new table is included automatically, a new mutation has to be added.
 */
const SECRET = 'secret-of-ada';
const { user: schema } = createSchemas(TABLES);

let graphql: GraphqlFixture;
let eve: Session;
let asEve: GraphqlCaller;
let executor: Executor;
let adasRows: Rows;
let before: unknown;
const missing: Rows = {
  resources: {
    id: randomUUID(),
    user_id: randomUUID(),
    chart_name: 'nothing',
    chart_version: 'nothing',
    values: { nothing: true },
    status: 'nothing',
    message: 'nothing',
    created_at: '2001-01-01T00:00:00+00:00',
    updated_at: '2001-01-01T00:00:00+00:00',
    deleted: true,
    generation: 987,
    serving: { release: 987 },
    retry: { kind: 'nothing' },
    pin: { nothing: true },
  },
  releases: {
    app_id: randomUUID(),
    number: 987,
    generation: 987,
    user_id: randomUUID(),
    made_of: { nothing: true },
    env_marks: { nothing: 987 },
    from_release: 987,
    build_inputs: { nothing: true },
    cause: { kind: 'nothing' },
    pin: { nothing: true },
    revision: 'nothing',
    phases: ['nothing'],
    outcome: 'nothing',
    reason: 'nothing',
    message: 'nothing',
    evidence: ['nothing'],
    fixes: ['nothing'],
    detected: { nothing: true },
    started_at: '2001-01-01T00:00:00+00:00',
    ended_at: '2001-01-01T00:00:00+00:00',
  },
  events: {
    id: 987_654,
    app_id: randomUUID(),
    user_id: randomUUID(),
    kind: 'nothing',
    details: { nothing: true },
    at: '2001-01-01T00:00:00+00:00',
  },
  deliveries: {
    id: 987_654,
    app_id: randomUUID(),
    at: '2001-01-01T00:00:00+00:00',
    event: 'nothing',
    push: { ref: 'nothing' },
    outcome: 'nothing',
    reason: 'nothing',
    is_replay: true,
  },
  commands: {
    app_id: randomUUID(),
    number: 987,
    command: 'nothing',
    release: 987,
    timeout_seconds: 987,
    state: 'nothing',
    exit_code: 987,
    message: 'nothing',
    actor: { nothing: true },
    started_at: '2001-01-01T00:00:00+00:00',
    ended_at: '2001-01-01T00:00:00+00:00',
  },
  usage: {
    app_id: randomUUID(),
    step: 1,
    at: '2001-01-01T00:00:00+00:00',
    instance: 'nothing',
    covered_ms: 987,
    cpu_ms: 987,
    memory_bytes: 987,
    received_bytes: 987,
    sent_bytes: 987,
    disk_bytes: 987,
  },
  traffic: {
    app_id: randomUUID(),
    step: 1,
    at: '2001-01-01T00:00:00+00:00',
    statuses: ['nothing'],
    latencies: ['nothing'],
    bytes_in: 987,
    bytes_out: 987,
  },
};

beforeAll(async () => {
  graphql = await startGraphqlFixture();
  const { backend, ada } = graphql;
  const store = createReconcilerStore({ db: backend.db, variables: VARIABLES });
  const appId = await graphql.createApp({ name: SECRET, env: { TOKEN: SECRET } });
  const pin = JSON.stringify({ release: 1, follows: SECRET });
  await backend.db.updateTable('public.resources').set({ pin }).where('id', '=', appId).execute();
  const values = { ...releaseValues(appValues(appId)), env: { TOKEN: SECRET } };
  const { number } = await store.addRelease({
    appId,
    generation: 1,
    desiredHash: SECRET,
    values,
    from: {
      number: 1,
      revision: SECRET,
      inputs: { arguments: [SECRET], startCommand: false },
    },
  });
  const failure = { outcome: 'failed', reason: 'build-failed', message: SECRET } as const;
  const fixes = [{ kind: 'root-directory', folder: SECRET, evidence: SECRET } as const];
  await store.addDetected(appId, number, { summary: SECRET });
  await store.endRelease({ appId, number, ...failure, evidence: [SECRET], fixes });
  await store.setServing(appId, { release: number, logName: SECRET, hosts: [SECRET] });
  const retry = { kind: 'restart', inMs: 3_600_000 } as const;
  await store.report({ appId, generation: 1, status: 'backoff', message: SECRET, retry });
  await backend.db
    .insertInto('connect.deliveries')
    .values({
      app_id: appId,
      event: SECRET,
      push: JSON.stringify({ ref: SECRET, commit: SECRET }),
      outcome: 'ignored',
      reason: SECRET,
    })
    .execute();
  await backend.db
    .insertInto('deploy.commands')
    .values({
      app_id: appId,
      number: 1,
      command: SECRET,
      release: number,
      timeout_seconds: 60,
      message: SECRET,
      actor: JSON.stringify({ name: SECRET }),
    })
    .execute();
  await addMetrics(appId);
  eve = await backend.signUp();
  await graphql.createProject(eve, 'of Eve');
  asEve = { role: 'user', userId: eve.user.id, sessionId: undefined, expiresAt: 0 };
  const logError = (error: unknown) => void backend.errors.push(error);
  executor = createExecutor({
    pool: backend.pool,
    rules: APP_RULES,
    isSignedIn: async () => true,
    logError,
  });
  before = await allRows();
  const rowsOf = (name: keyof Rows) => (before as Record<string, Record<string, unknown>[]>)[name];
  adasRows = {
    resources: rowsOf('resources')?.find(({ id }) => id === appId) ?? {},
    releases: rowsOf('releases')?.[0] ?? {},
    events: rowsOf('events')?.[0] ?? {},
    deliveries: rowsOf('deliveries')?.[0] ?? {},
    commands: rowsOf('commands')?.[0] ?? {},
    usage: rowsOf('usage')?.[0] ?? {},
    traffic: rowsOf('traffic')?.[0] ?? {},
  };
  expect(adasRows.resources.user_id).toBe(ada.user.id);
});
afterAll(() => graphql.stop());

async function addMetrics(appId: string): Promise<void> {
  const { db } = graphql.backend;
  const minute = Math.floor(Date.now() / 60_000);
  const used = { cpuSeconds: 4, memoryBytes: 5, receivedBytes: 6, sentBytes: 7, diskBytes: 8 };
  const instance = { appId, instanceId: SECRET, minute, coveredMs: 60_000 };
  await createUsageRows(db, Date).add([{ ...instance, ...used }]);
  const requests = { statuses: [0, 1, 0, 0, 0], latencies: [1], bytesIn: 2, bytesOut: 3 };
  const counters = [{ appId, minute, ...requests }] as AppCounters[];
  await createTraffic(db, Date).add({ run: SECRET, batch: 1, counters });
}

/** Every column of every row, read as admin. */
async function allRows(): Promise<unknown> {
  const fields = Object.values(TABLES).map(
    ({ name, columns, primaryKey }) =>
      `${name}(order_by: [${primaryKey.map((key) => `{${key}: asc}`)}]) { ${Object.keys(columns).join(' ')} }`,
  );
  return (await graphql.request(`{ ${fields.join(' ')} }`, {}, AS_ADMIN)).data;
}

async function resultOf({ query, variables }: Attack, target: Rows): Promise<unknown> {
  const operation = executor.parse({ query, variables: variables(target) }, asEve);
  if (!isStream(operation)) return await executor.execute(operation, asEve);
  return await executor.executeStream(operation, asEve, undefined).then(
    ({ data }) => data,
    (error) => executor.errorsOf(error),
  );
}

function expectNothingOfAda(result: unknown): void {
  const text = JSON.stringify(result);
  for (const secret of [SECRET, graphql.ada.user.id, String(adasRows.resources.id)]) {
    expect(text).not.toContain(secret);
  }
}

function rootOf(operation: 'query' | 'subscription') {
  const root = operation === 'query' ? schema.getQueryType() : schema.getSubscriptionType();
  if (!root) throw new Error(`There is no ${operation}`);
  return root;
}

describe.each(['query', 'subscription'] as const)('every %s', (operation) => {
  const attacks = attacksOf(rootOf(operation), operation);

  it('is attacked through each of its arguments', () => {
    expect(attacks.length).toBeGreaterThan(300);
  });

  it.each(Object.keys(rootOf(operation).getFields()))(
    '%s reveals nothing',
    async (field) => {
      const ofField = attacks.filter(({ name }) => name.startsWith(`${field} `));
      expect(ofField).not.toEqual([]);
      for (const batch of batchesOf(ofField)) await Promise.all(batch.map(expectNothingRevealed));
    },
    120_000,
  );
});

async function expectNothingRevealed(attack: Attack): Promise<void> {
  const foreign = await resultOf(attack, adasRows);
  expectNothingOfAda(foreign);
  // Eve has rows with the same kind or status; only values that are unique to Ada must look like missing ones.
  if (/_by_pk|\bid$|_id$/.test(attack.name)) {
    expect(foreign, attack.name).toEqual(await resultOf(attack, missing));
  }
}

/** A few at a time: they share the connections of one pool. */
function batchesOf(attacks: Attack[]): Attack[][] {
  const size = 8;
  const starts = Array.from({ length: Math.ceil(attacks.length / size) }, (_, at) => at * size);
  return starts.map((start) => attacks.slice(start, start + size));
}

type Mutation = (target: Rows) => { query: string; variables?: Record<string, unknown> };

const newApp = ({ resources }: Rows, userId: unknown) => ({
  user_id: userId,
  chart_name: 'longshore-app',
  chart_version: '0.0',
  values: appValues(String((resources.values as { projectId?: string }).projectId ?? randomUUID())),
});
const where = ({ resources }: Rows) => ({ id: { _eq: resources.id } });
const RESPONSE = '{ affected_rows returning { id values releases { number } events { kind } } }';

const MUTATIONS: Record<string, Mutation[]> = {
  insert_resources: [
    (target) => ({
      query: `mutation ($objects: [resources_insert_input!]!) { insert_resources(objects: $objects) ${RESPONSE} }`,
      variables: { objects: [newApp(target, eve.user.id)] },
    }),
  ],
  insert_resources_one: [
    (target) => ({
      query:
        'mutation ($object: resources_insert_input!) { insert_resources_one(object: $object) { id } }',
      variables: { object: newApp(target, target.resources.user_id) },
    }),
  ],
  update_resources: [
    (target) => ({
      query: `mutation ($where: resources_bool_exp!) { update_resources(where: $where, _set: {deleted: true}) ${RESPONSE} }`,
      variables: { where: where(target) },
    }),
    ({ releases }) => ({
      query: `mutation { update_resources(where: {releases: {app_id: {_eq: "${releases.app_id}"}}}, _append: {values: {instances: 0}}) ${RESPONSE} }`,
    }),
    (target) => ({
      query: `mutation ($where: resources_bool_exp!) { update_resources(where: $where, _set: {deleted: true}, generation: 987) ${RESPONSE} }`,
      variables: { where: where(target) },
    }),
  ],
  update_resources_by_pk: [
    ({ resources }) => ({
      query: `mutation { update_resources_by_pk(pk_columns: {id: "${resources.id}"}, _delete_key: {values: "name"}) { id values } }`,
    }),
  ],
  update_resources_many: [
    (target) => ({
      query: `mutation ($where: resources_bool_exp!) { update_resources_many(updates: [{where: $where, _set: {deleted: true}}]) ${RESPONSE} }`,
      variables: { where: where(target) },
    }),
  ],
  delete_resources: [
    (target) => ({
      query: `mutation ($where: resources_bool_exp!) { delete_resources(where: $where) ${RESPONSE} }`,
      variables: { where: where(target) },
    }),
  ],
  delete_resources_by_pk: [
    ({ resources }) => ({
      query: `mutation { delete_resources_by_pk(id: "${resources.id}") { id values } }`,
    }),
  ],
  redeploy_app: [
    ({ resources }) => ({
      query: `mutation { redeploy_app(id: "${resources.id}") { id values } }`,
    }),
  ],
  restart_app: [
    ({ resources }) => ({
      query: `mutation { restart_app(id: "${resources.id}") { id values } }`,
    }),
  ],
  clear_build_cache: [
    ({ resources }) => ({
      query: `mutation { clear_build_cache(id: "${resources.id}") { id values } }`,
    }),
  ],
  rollback_app: [
    ({ resources, releases }) => ({
      query: `mutation { rollback_app(id: "${resources.id}", release: ${releases.number}) { id values } }`,
    }),
  ],
  resume_app: [
    ({ resources }) => ({
      query: `mutation { resume_app(id: "${resources.id}") { id values } }`,
    }),
  ],
  cancel_build: [
    ({ resources, releases }) => ({
      query: `mutation { cancel_build(id: "${resources.id}", release: ${releases.number}) { id values } }`,
    }),
  ],
  run_command: [
    ({ resources }) => ({
      query: `mutation { run_command(id: "${resources.id}", command: "env") { id values } }`,
    }),
  ],
  cancel_command: [
    ({ resources, commands }) => ({
      query: `mutation { cancel_command(id: "${resources.id}", number: ${commands.number}) { id values } }`,
    }),
  ],
};

describe('every mutation', () => {
  it('is attacked', () => {
    expect(Object.keys(MUTATIONS)).toEqual(
      Object.keys(schema.getMutationType()?.getFields() ?? {}),
    );
  });

  it.each(Object.entries(MUTATIONS))('%s changes and reveals nothing', async (_, mutations) => {
    for (const mutation of mutations) {
      const [foreign, absent] = [mutation(adasRows), mutation(missing)];
      const runs = [foreign, absent].map(({ query, variables }) =>
        executor.execute(executor.parse({ query, variables }, asEve), asEve),
      );
      const [result, expected] = await Promise.all(runs);
      expectNothingOfAda(result);
      expect(result).toEqual(expected);
    }
  });
});

it('has changed nothing', async () => {
  expect(await allRows()).toEqual(before);
});
