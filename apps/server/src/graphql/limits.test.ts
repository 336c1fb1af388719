import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer } from '../../test/backend.ts';
import { type GraphqlFixture, startGraphqlFixture } from '../../test/graphql/graphql-fixture.ts';
import { APP_RULES } from '../../test/values.ts';
import { createPool } from '../db/database.ts';
import { createExecutor } from './executor.ts';

let graphql: GraphqlFixture;
beforeAll(async () => {
  graphql = await startGraphqlFixture();
});
afterAll(() => graphql.stop());

const times = (count: number, part: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => part(at)).join(' ');

function nested(levels: number, wrap: (inner: string) => string, core: string): string {
  return levels === 0 ? core : wrap(nested(levels - 1, wrap, core));
}

/** Each fragment contains the next one twice, so that the size doubles with each. */
const FRAGMENT_BOMB = `{ resources { ...f0 } }
  ${times(30, (at) => `fragment f${at} on resources { a${at}: releases { app { ...f${at + 1} } } b${at}: releases { app { ...f${at + 1} } } }`)}
  fragment f30 on resources { id }`;

describe('a query', () => {
  it.each([
    [
      'with too many tokens',
      `{ resources { ${times(4_001, () => 'id')} } }`,
      'Document contains more that 4000 tokens',
    ],
    [
      'with too many fields',
      `{ resources { ${times(1_001, (at) => `a${at}: id`)} } }`,
      'at most 1000 fields',
    ],
    [
      'that repeats a field so often that validation is slow',
      `{ resources { ${times(990, () => 'id')} } }`,
      'Validation aborted',
    ],
    ['with exponentially nested fragments', FRAGMENT_BOMB, 'at most 1000 fields'],
    [
      'with a fragment that contains itself',
      '{ resources { ...f } } fragment f on resources { ...f }',
      'Cannot spread fragment "f" within itself',
    ],
    [
      'that is too deep',
      `{ resources { ${nested(5, (inner) => `releases { app { ${inner} } }`, 'id')} } }`,
      'at most 8 levels deep',
    ],
    [
      'that follows too many relationships',
      `{ resources { ${times(70, (at) => `a${at}: releases { number }`)} } }`,
      'too many relationships',
    ],
    [
      'whose condition follows too many relationships',
      `{ resources(where: ${nested(32, (inner) => `{releases: {app: ${inner}}}`, '{}')}) { id } }`,
      'too many relationships',
    ],
    ['with a long alias', `{ resources { ${'a'.repeat(64)}: id } }`, 'at most 63 characters'],
    [
      'with a value that is too deep',
      `{ resources(where: ${nested(101, (inner) => `{_not: ${inner}}`, '{}')}) { id } }`,
      'at most 100 levels deep',
    ],
    [
      'with deeply nested introspection',
      '{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }',
      'Maximum introspection depth exceeded',
    ],
    [
      'with many aliases in introspection',
      `{ __schema { types { inputFields { type { inputFields { ${times(900, (at) => `a${at}: name`)} } } } } } }`,
      'no aliases',
    ],
    [
      'with aliases of introspection in a fragment',
      '{ __type(name: "resources") { ...t } } fragment t on __Type { fields { a: name } }',
      'no aliases',
    ],
    [
      'with many introspection fields',
      `{ ${times(4, (at) => `a${at}: __schema { types { name } }`)} }`,
      'at most 3 introspection fields are allowed',
    ],
  ])('%s is refused', async (_, query, message) => {
    const problem = await graphql.error(query);
    expect(problem.message).toContain(message);
    expect(problem.extensions.code).toBe('validation-failed');
  });

  it('with too many conditions, or a variable that is too deep, is refused', async () => {
    const query = 'query ($where: resources_bool_exp) { resources(where: $where) { id } }';
    const many = { _or: Array.from({ length: 5_001 }, () => ({ status: { _eq: 'x' } })) };
    expect((await graphql.error(query, { where: many })).message).toContain('too many conditions');
    const deep = `${'{"_not":'.repeat(50_000)}{}${'}'.repeat(50_000)}`;
    const text = `{"query":${JSON.stringify(query)},"variables":{"where":${deep}}}`;
    const { body } = await graphql.backend.post('/v1/graphql', text, bearer(graphql.ada));
    expect(JSON.stringify(body)).toContain('at most 100 levels');
  });

  it('with a long list of ids is allowed', async () => {
    const query = 'query ($ids: [uuid!]) { resources(where: {id: {_in: $ids}}) { id } }';
    const ids = Array.from({ length: 20_000 }, () => graphql.ada.user.id);
    expect(await graphql.result(query, { ids })).toEqual([]);
  });
});

describe('a result', () => {
  const ADD_ROWS = `insert into public.resources (user_id, chart_name, chart_version, values, message)
    select $1, 'project', '0.0', jsonb_build_object('text', repeat('x', $3)), repeat('a', 20000)
    from generate_series(1, $2)`;

  it('has at most ten thousand rows, but counts all', async () => {
    const eve = await graphql.backend.signUp();
    await graphql.backend.pool.query(ADD_ROWS, [eve.user.id, 10_010, 1]);
    const query = '{ resources { id } resources_aggregate { aggregate { count } nodes { id } } }';
    const { data } = await graphql.request(query, {}, bearer(eve));
    expect(data).toHaveProperty('resources.length', 10_000);
    expect(data).toHaveProperty('resources_aggregate.aggregate.count', 10_010);
    expect(data).toHaveProperty('resources_aggregate.nodes.length', 10_000);

    const pool = createPool(graphql.backend.connection, () => {}, {
      connectMs: 5_000,
      queryMs: 20_000,
      statementMs: 100,
    });
    const logError = (error: unknown) => void graphql.backend.errors.push(error);
    const executor = createExecutor({
      pool,
      rules: APP_RULES,
      isSignedIn: async () => true,
      logError,
    });
    const caller = {
      role: 'user',
      userId: eve.user.id,
      sessionId: undefined,
      expiresAt: 0,
    } as const;
    const slowQuery = '{ resources(where: {message: {_regex: "(x|a)*(y|a)*(z|a)*b"}}) { id } }';
    expect(
      JSON.parse(await executor.execute(executor.parse({ query: slowQuery }, caller), caller)),
    ).toEqual({
      errors: [
        { message: 'the query took too long', extensions: { code: 'postgres-error', path: '$' } },
      ],
    });
    await pool.end();
  }, 60_000);

  it('that is too large is refused, also as the sum of a batch', async () => {
    const eve = await graphql.backend.signUp();
    await graphql.backend.pool.query(ADD_ROWS, [eve.user.id, 45, 200_000]);
    const query = '{ resources { values } }';
    expect(await graphql.result(query, {}, bearer(eve))).toHaveLength(45);
    const twice = '{ a: resources { values } b: resources { values } }';
    expect((await graphql.error(twice, {}, bearer(eve))).message).toContain('too large');
    const { body } = await graphql.backend.post<{ errors?: unknown }[]>(
      '/v1/graphql',
      [{ query }, { query }],
      bearer(eve),
    );
    expect(body.map((each) => Object.keys(each)[0])).toEqual(['data', 'errors']);
  }, 30_000);
});

describe('a request', () => {
  it('contains at most twenty queries', async () => {
    const batch = Array.from({ length: 21 }, () => ({ query: '{ __typename }' }));
    const { body } = await graphql.backend.post('/v1/graphql', batch, bearer(graphql.ada));
    expect(JSON.stringify(body)).toContain('at most 20 requests');
  });

  it('of more than a megabyte is refused', async () => {
    const query = `{ resources { id } } # ${'x'.repeat(1_000_001)}`;
    const { status } = await graphql.backend.post('/v1/graphql', { query }, bearer(graphql.ada));
    expect(status).toBe(413);
  });

  it('is cancelled in the database when the client disconnects', async () => {
    const id = await graphql.createApp();
    const { pool } = graphql.backend;
    const blocking = await pool.connect();
    await blocking.query('begin');
    await blocking.query('select from public.resources where id = $1 for update', [id]);
    const disconnect = new AbortController();
    const query = `mutation { update_resources_by_pk(pk_columns: {id: "${id}"}, _set: {deleted: true}) { id } }`;
    const pending = graphql.backend.app.request('/v1/graphql', {
      method: 'POST',
      body: JSON.stringify({ query }),
      headers: { ...bearer(graphql.ada), 'content-type': 'application/json' },
      signal: disconnect.signal,
    });
    const waiting = async () => {
      const { rows } = await pool.query(
        "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      );
      return rows.length;
    };
    await expect.poll(waiting).toBe(1);
    disconnect.abort();
    await (await pending).text();
    expect(await waiting()).toBe(0);
    await blocking.query('rollback');
    blocking.release();
    expect(await graphql.result(`{ resources_by_pk(id: "${id}") { deleted } }`)).toEqual({
      deleted: false,
    });
  });

  it.each([
    ['GET', undefined],
    ['PUT', '{}'],
  ])('by %s is not executed', async (method, body) => {
    const path = `/v1/graphql?query=${encodeURIComponent('{ resources { id } }')}`;
    const response = await graphql.backend.request(path, {
      method,
      headers: bearer(graphql.ada),
      ...(body === undefined ? {} : { body }),
    });
    expect(response.status).toBe(405);
    expect(response.body).toMatchObject({ error: 'method-not-allowed' });
  });
});
