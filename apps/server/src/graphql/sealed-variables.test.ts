import { randomUUID } from 'node:crypto';
import { isRecord, releaseValues, type Session } from '@longshore/contract';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { bearer } from '../../test/backend.ts';
import {
  AS_ADMIN,
  type GraphqlFixture,
  startGraphqlFixture,
} from '../../test/graphql/graphql-fixture.ts';
import { APP_RULES, appValues, VARIABLES } from '../../test/values.ts';
import { createReconcilerStore } from '../apps/reconciler-store.ts';
import type { Variables } from '../apps/variables.ts';
import { createExecutor } from './executor.ts';

const SECRET = `planted-${randomUUID()}`;
/** Everything that JSON and SQL texts have to escape. */
const ODD = 'two\nlines "quoted" \\ \u0001 ü ✓';
const ENV = { TOKEN: SECRET, ODD, EMPTY: '' };

let graphql: GraphqlFixture;
beforeAll(async () => {
  graphql = await startGraphqlFixture();
});
afterAll(() => graphql.stop());
afterEach(() => vi.restoreAllMocks());

async function row(id: string): Promise<{ env: Record<string, string>; values: unknown }> {
  const { rows } = await graphql.backend.pool.query(
    'select values from public.resources where id = $1',
    [id],
  );
  return { env: rows[0].values.env, values: rows[0].values };
}

async function envOf(id: string, as?: Record<string, string>): Promise<unknown> {
  const query = 'query ($id: uuid!) { resources_by_pk(id: $id) { values(path: "env") } }';
  const found = await graphql.result(query, { id }, as);
  return isRecord(found) ? found.values : found;
}

async function dump(): Promise<string> {
  const tables = ['public.resources', 'deploy.releases', 'deploy.events', 'deploy.sealed_values'];
  const texts = tables.map(async (table) => {
    const { rows } = await graphql.backend.pool.query(`select t::text as text from ${table} t`);
    return rows.map(({ text }) => text).join('\n');
  });
  return (await Promise.all(texts)).join('\n');
}

describe('the values of variables', () => {
  it('never reach the database as plain text, in no column and no statement', async () => {
    const query = vi.spyOn(pg.Client.prototype, 'query');
    const id = await graphql.createApp({ env: { TOKEN: SECRET } });
    const update = (change: string) =>
      graphql.result(
        `mutation ($id: uuid!, $env: jsonb!) { update_resources_by_pk(pk_columns: {id: $id}, ${change}) { id values } }`,
        { id, env: { env: { TOKEN: SECRET, OTHER: SECRET } } },
      );
    await update('_append: {values: $env}');
    await update('_prepend: {values: $env}');
    await graphql.result(
      'mutation ($id: uuid!, $values: jsonb!) { update_resources_by_pk(pk_columns: {id: $id}, _set: {values: $values}) { id } }',
      { id, values: { ...(await valuesOf(id)), env: { TOKEN: `${SECRET}2` } } },
    );
    const store = createReconcilerStore({ db: graphql.backend.db, variables: VARIABLES });
    const app = await store.app(id);
    if (app === undefined) throw new Error('The app is missing');
    const release = { appId: id, generation: 1, desiredHash: 'hash', values: app.values };
    expect((await store.addRelease(release)).values.env).toEqual({ TOKEN: `${SECRET}2` });
    expect(await envOf(id)).toEqual({ TOKEN: `${SECRET}2` });
    expect(query.mock.calls.length).toBeGreaterThan(10);
    expect(JSON.stringify(query.mock.calls.map(([call]) => call))).not.toContain(SECRET);
    expect(await dump()).not.toContain(SECRET);
  });

  it('are read wherever values are selected', async () => {
    const id = await graphql.createApp({ env: ENV });
    const store = createReconcilerStore({ db: graphql.backend.db, variables: VARIABLES });
    const app = await store.app(id);
    if (app === undefined) throw new Error('The app is missing');
    await store.addRelease({ appId: id, generation: 1, desiredHash: 'hash', values: app.values });
    const { data } = await graphql.request(
      `query ($id: uuid!, $where: resources_bool_exp!) {
        resources_by_pk(id: $id) { ...Fields env: values(path: "env") token: values(path: "$.env.TOKEN")
          odd: values(path: "env[\\"ODD\\"]") name: values(path: "name") none: values(path: "env.TOKEN.length") }
        all: resources(where: $where) { ...Fields }
        resources_aggregate(where: $where) { nodes { ...Fields } }
        releases(where: { app: $where }) { made_of app { ...Fields } }
      }
      fragment Fields on resources { values again: values }`,
      { id, where: { id: { _eq: id } } },
    );
    const values = { ...appValues(''), projectId: expect.any(String), env: ENV };
    const fields = { values, again: values };
    expect(data).toEqual({
      resources_by_pk: { ...fields, env: ENV, token: SECRET, odd: ODD, name: 'hello', none: null },
      all: [fields],
      resources_aggregate: { nodes: [fields] },
      releases: [{ made_of: expect.not.objectContaining({ env: ENV }), app: fields }],
    });
  });

  it('are read by streams and by the operator', async () => {
    const id = await graphql.createApp({ env: ENV });
    const { pool } = graphql.backend;
    const executor = createExecutor({
      pool,
      rules: APP_RULES,
      isSignedIn: async () => true,
      logError: () => {},
    });
    const caller = { role: 'admin' } as const;
    const query = `subscription ($id: uuid!) { resources_stream(
      batch_size: 10, cursor: [{initial_value: {created_at: null}}], where: {id: {_eq: $id}}) { values(path: "env") } }`;
    const operation = executor.parse({ query, variables: { id } }, caller);
    const { data } = await executor.executeStream(operation, caller, undefined);
    expect(data).toEqual({ resources_stream: [{ values: ENV }] });
    expect(await envOf(id, AS_ADMIN)).toEqual(ENV);
  });

  it('are part of the limit of a result', async () => {
    const env = Object.fromEntries(
      Array.from({ length: 6 }, (_, at) => [`A${at}`, 'x'.repeat(29_000)]),
    );
    const id = await graphql.createApp({ env });
    const { pool } = graphql.backend;
    const executor = createExecutor({
      pool,
      rules: APP_RULES,
      isSignedIn: async () => true,
      logError: () => {},
    });
    const caller = { role: 'admin' } as const;
    const aliases = Array.from({ length: 5 }, (_, at) => `v${at}: values`).join(' ');
    const query = `{ resources(where: {id: {_eq: "${id}"}}) { ${aliases} } }`;
    const run = async (maxBytes: number) =>
      JSON.parse(await executor.execute(executor.parse({ query }, caller), caller, { maxBytes }));
    expect((await run(1_000_000)).data.resources[0].v4.env).toEqual(env);
    expect((await run(500_000)).errors[0].message).toContain('too large');
    expect((await run(100_000)).errors[0].message).toContain('too large');
  });
});

async function valuesOf(id: string): Promise<Record<string, unknown>> {
  const query = 'query ($id: uuid!) { resources_by_pk(id: $id) { values } }';
  const found = await graphql.result(query, { id });
  return isRecord(found) && isRecord(found.values) ? found.values : {};
}

describe('a hash that somebody has read in a copy of the database', () => {
  let eve: Session;
  let stolen: string;
  beforeAll(async () => {
    eve = await graphql.backend.signUp();
    const id = await graphql.createApp({ env: { TOKEN: SECRET } });
    stolen = (await row(id)).env.TOKEN ?? '';
    expect(stolen).toMatch(/^sealed:[\w-]{43}$/);
  });

  it.each(['TOKEN', 'OTHER'])('is the value of the variable %s, nothing else', async (name) => {
    const id = await graphql.createApp({ env: { [name]: stolen } }, eve);
    expect(await envOf(id, bearer(eve))).toEqual({ [name]: stolen });
    expect((await row(id)).env[name]).not.toBe(stolen);
  });

  it('is only a text in every other place', async () => {
    const projectId = await graphql.createProject(eve, stolen);
    const container = { ...appValues('').container, image: 'nginx', updatePolicy: stolen };
    await graphql.createApp({ projectId, container }, eve);
    const rows = JSON.stringify(await graphql.result('{ resources { values } }', {}, bearer(eve)));
    expect(rows).toContain(stolen);
    expect(rows).not.toContain(SECRET);
  });

  it('does not say which other variables have the same value', async () => {
    const first = await graphql.createApp({ env: { A: SECRET, B: SECRET } });
    const second = await graphql.createApp({ env: { A: SECRET } });
    const hashes = [await row(first), await row(second)].flatMap(({ env }) => Object.values(env));
    expect(new Set([...hashes, stolen]).size).toBe(4);
  });
});

describe('an edit', () => {
  it('of several apps seals the variables of each one for itself', async () => {
    const projectId = await graphql.createProject();
    const ids = [
      await graphql.createApp({ projectId, name: 'one', env: { A: '1' } }),
      await graphql.createApp({ projectId, name: 'two', env: { A: '2' } }),
    ];
    const written = await graphql.result(
      `mutation ($where: resources_bool_exp!, $env: jsonb!) {
        update_resources(where: $where, _append: {values: $env}) { returning { values(path: "env") } } }`,
      {
        where: { values: { _contains: { projectId } }, chart_name: { _neq: 'project' } },
        env: { env: { B: SECRET } },
      },
    );
    expect(written).toEqual({ returning: [{ values: { B: SECRET } }, { values: { B: SECRET } }] });
    const [one, two] = await Promise.all(ids.map(row));
    expect(one?.env.B).not.toBe(two?.env.B);
  });

  it.each<[string, Record<string, unknown>]>([
    ['_delete_at_path: {values: ["env", "B"]}', { A: '1' }],
    ['_delete_at_path: {values: ["env", "C"]}', { A: '1', B: '2' }],
    ['_delete_key: {values: "env"}', {}],
    ['_append: {values: {instances: 0}}', { A: '1', B: '2' }],
    ['_append: {values: {env: {B: "3"}}}', { B: '3' }],
    ['_prepend: {values: {env: {B: "3"}}}', { A: '1', B: '2' }],
  ])('by %s keeps the other variables', async (change, env) => {
    const id = await graphql.createApp({ env: { A: '1', B: '2' } });
    const before = await row(id);
    const update = `mutation ($id: uuid!) { update_resources_by_pk(pk_columns: {id: $id}, ${change}) { values(path: "env") } }`;
    expect(await graphql.result(update, { id })).toEqual({ values: env });
    expect((await row(id)).env.A).toBe('A' in env ? before.env.A : undefined);
  });

  it('with the same values changes no generation', async () => {
    const id = await graphql.createApp({ env: ENV });
    const update =
      'mutation ($id: uuid!, $values: jsonb!) { update_resources_by_pk(pk_columns: {id: $id}, _set: {values: $values}) { generation } }';
    const result = await graphql.result(update, { id, values: await valuesOf(id) });
    expect(result).toEqual({ generation: 1 });
  });

  it('waits for a release of the same variables that is being added, without a deadlock', async () => {
    const id = await graphql.createApp({ env: ENV });
    const { db, pool } = graphql.backend;
    const isWaiting = async () => {
      const { rows } = await pool.query(
        `select from pg_stat_activity where datname = current_database()
           and wait_event_type = 'Lock' and query like '%insert into deploy.sealed_values%'`,
      );
      return rows.length > 0;
    };
    const update =
      'mutation ($id: uuid!) { update_resources_by_pk(pk_columns: {id: $id}, _append: {values: {instances: 0}}) { generation } }';
    let edit: Promise<unknown> | undefined;
    const store: Variables['store'] = async (tx, appId, env) => {
      await VARIABLES.store(tx, appId, env);
      edit = graphql.result(update, { id });
      await expect.poll(isWaiting, { timeout: 10_000 }).toBe(true);
    };
    const release = { appId: id, generation: 1, desiredHash: 'hash' };
    const values = { ...releaseValues(appValues('')), env: ENV };
    const variables = { ...VARIABLES, store };
    await createReconcilerStore({ db, variables }).addRelease({ ...release, values });
    expect(await edit).toEqual({ generation: 2 });
  });

  it('by the operator may use any form of an id', async () => {
    const [id, projectId] = [randomUUID(), await graphql.createProject()];
    const object = {
      id: `{${id.toUpperCase()}}`,
      user_id: graphql.ada.user.id,
      chart_name: 'longshore-app',
      chart_version: '0.0',
      values: { ...appValues(projectId), env: ENV },
    };
    const insert =
      'mutation ($object: resources_insert_input!) { insert_resources_one(object: $object) { id values(path: "env") } }';
    expect(await graphql.result(insert, { object }, AS_ADMIN)).toEqual({ id, values: ENV });
    expect(
      await VARIABLES.readEnvs(graphql.backend.db, [{ appId: id, env: (await row(id)).env }]),
    ).toEqual([ENV]);
    const other = { ...object, id: 'no uuid', values: { ...object.values, name: 'other' } };
    expect(await graphql.error(insert, { object: other }, AS_ADMIN)).toMatchObject({
      extensions: { code: 'data-exception' },
    });
  });
});

describe('a condition or an order', () => {
  const REFUSED = {
    message: 'values.env is stored encrypted: rows cannot be filtered or ordered by it',
    extensions: { code: 'not-supported' },
  };

  it.each([
    ['resources(where: {values: {_contains: {env: {TOKEN: "x"}}}})'],
    ['resources(where: {values: {_contained_in: {env: {}}}})'],
    ['resources(where: {values: {_eq: {name: "x", env: {}}}})'],
    ['resources(where: {values: {_neq: {env: {}}}})'],
    ['resources(where: {values: {_gt: {env: {}}}})'],
    ['resources(where: {values: {_in: [{name: "x"}, {env: {}}]}})'],
    ['resources(where: {values: {_cast: {String: {_like: "%x%"}}}})'],
    ['resources(where: {_or: [{_not: {values: {_contains: {env: {}}}}}]})'],
    ['resources(where: {releases: {app: {values: {_contains: {env: {}}}}}})'],
    ['resources(order_by: {values: asc})'],
    ['resources(distinct_on: values)'],
    ['resources(distinct_on: [values], order_by: [{values: asc}])'],
  ])('%s is refused with the reason', async (field) => {
    expect(await graphql.error(`{ ${field} { id } }`)).toMatchObject(REFUSED);
    expect(
      await graphql.error(
        `{ ${field.replace('resources', 'resources_aggregate')} { aggregate { count } } }`,
      ),
    ).toMatchObject(REFUSED);
  });

  it('of an update is refused, too', async () => {
    const update =
      'mutation { update_resources(where: {values: {_contains: {env: {}}}}, _set: {deleted: true}) { affected_rows } }';
    expect(await graphql.error(update)).toMatchObject(REFUSED);
  });

  it.each([
    ['{_contains: {name: "findable"}}'],
    ['{_contains: {source: {enabled: true}, name: "findable"}}'],
    ['{_has_key: "env", _contains: {name: "findable"}}'],
    ['{_has_keys_all: ["env", "name"], _contains: {name: "findable"}}'],
  ])('on other values works: %s', async (condition) => {
    const id = await graphql.createApp({ name: 'findable', env: ENV });
    const query = `{ resources(where: {deleted: {_eq: false}, values: ${condition}}) { id } }`;
    expect(await graphql.result(query)).toEqual([{ id }]);
    await graphql.result(`mutation { delete_resources_by_pk(id: "${id}") { id } }`);
  });
});

describe('a value that cannot be read', () => {
  const update = (change: string) =>
    `mutation ($id: uuid!) { update_resources_by_pk(pk_columns: {id: $id}, ${change}) { values(path: "env") deleted } }`;

  async function damagedApp(): Promise<string> {
    const id = await graphql.createApp({ env: { LOST: randomUUID(), KEPT: 'kept' } });
    const { pool } = graphql.backend;
    await pool.query(`delete from deploy.sealed_values where owner_id = $1 and name = 'LOST'`, [
      id,
    ]);
    return id;
  }

  it('is null, and other values are read', async () => {
    const id = await damagedApp();
    expect(await envOf(id)).toEqual({ LOST: null, KEPT: 'kept' });
  });

  it('has to be set again or removed by an edit', async () => {
    for (const change of ['_append: {values: {instances: 0}}', '_set: {deleted: false}']) {
      expect(await graphql.error(update(change), { id: await damagedApp() })).toMatchObject({
        message: 'values.env.LOST: The stored value cannot be read. Set it again or remove it',
      });
    }
    const set = update('_append: {values: {env: {LOST: "new", KEPT: "kept"}}}');
    expect(await graphql.result(set, { id: await damagedApp() })).toMatchObject({
      values: { LOST: 'new', KEPT: 'kept' },
    });
    const removed = update('_delete_at_path: {values: ["env", "LOST"]}');
    expect(await graphql.result(removed, { id: await damagedApp() })).toMatchObject({
      values: { KEPT: 'kept' },
    });
  });

  it('does not prevent that the app is deleted', async () => {
    const id = await damagedApp();
    expect(await graphql.result(update('_set: {deleted: true}'), { id })).toMatchObject({
      deleted: true,
    });
    const store = createReconcilerStore({ db: graphql.backend.db, variables: VARIABLES });
    expect(await store.app(id)).toMatchObject({ deleted: true });
  });

  it('stops the reconciler for this app only', async () => {
    const id = await damagedApp();
    const store = createReconcilerStore({ db: graphql.backend.db, variables: VARIABLES });
    await expect(store.app(id)).rejects.toThrow('Variables cannot be decrypted: LOST');
    expect((await store.existingApps()).map((app) => app.id)).toContain(id);
  });
});
