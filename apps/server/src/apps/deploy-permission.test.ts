import {
  type AppValues,
  chartNameOf,
  INSERT_RESOURCE,
  type Session,
  UPDATE_RESOURCE,
} from '@longshore/contract';
import { buildAppValues } from '@longshore/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../../test/backend.ts';
import { appValues } from '../../test/values.ts';
import { mayDeploy, startsCode } from './deploy-permission.ts';

const NOT_ISOLATED = {
  kind: 'not-isolated' as const,
  missing: ['Longshore does not run as root.'],
  packages: [],
};

describe('mayDeploy', () => {
  it.each([
    ['isolated', false, false, true],
    ['isolated', false, true, true],
    ['isolated', true, false, true],
    ['not-isolated', false, false, false],
    ['not-isolated', false, true, true],
    ['not-isolated', true, false, true],
  ] as const)(
    '%s, everybody trusted: %s, first account: %s → %s',
    (kind, trustEverybody, isOperator, isAllowed) => {
      const isolation = kind === 'isolated' ? { kind } : NOT_ISOLATED;
      expect(mayDeploy({ isolation, trustEverybody, isOperator })).toBe(isAllowed);
    },
  );
});

describe('startsCode', () => {
  const running = buildAppValues({ instances: 1 });
  const hibernated = { ...running, instances: 0 };
  it.each<[string, unknown, AppValues, boolean]>([
    ['creating', undefined, running, true],
    ['creating hibernated', undefined, hibernated, false],
    ['waking', hibernated, running, true],
    ['hibernating', running, hibernated, false],
    ['hibernating with new variables', running, { ...hibernated, env: { A: '1' } }, false],
    ['a new variable', running, { ...running, env: { A: '1' } }, true],
    ['another branch', running, { ...running, source: { ...running.source, ref: 'next' } }, true],
    ['another name', running, { ...running, name: 'renamed' }, false],
    ['values of an unknown form', { name: 'old' }, running, true],
  ])('%s: %#', (_, before, after, isStarted) => {
    expect(startsCode(before, after)).toBe(isStarted);
  });
});

describe('without isolation', () => {
  let backend: Backend;
  let first: Session;
  let second: Session;
  let projectId: string;
  const policy = { isolation: async () => NOT_ISOLATED, trustEverybody: false };
  beforeAll(async () => {
    backend = await startBackend({ deployPolicy: policy });
    first = await backend.signUp();
    second = await backend.signUp();
  });
  afterAll(() => stopWithoutErrors(backend));
  beforeEach(async () => {
    projectId = await insertedId('project', { userId: second.user.id, name: 'Mine' });
  });

  const REFUSED =
    'Only operators may deploy here, because this server cannot isolate the apps of several accounts. Longshore does not run as root. Ask the operator to fix what is missing, or to set LONGSHORE_TRUST_EVERYBODY=true.';

  async function send(query: string, variables: unknown, session = second) {
    const body = { query, variables };
    const response = await backend.post<{
      data?: Record<string, { id: string } | null>;
      errors?: { message: string; extensions: { code: string } }[];
    }>('/v1/graphql', body, bearer(session));
    return response.body;
  }

  const insert = (kind: 'project' | 'app', values: unknown, session = second) =>
    send(
      INSERT_RESOURCE,
      { userId: session.user.id, chartName: chartNameOf(kind), chartVersion: '0.0', values },
      session,
    );

  async function insertedId(kind: 'project' | 'app', values: unknown, session = second) {
    const { data, errors } = await insert(kind, values, session);
    expect(errors).toBeUndefined();
    return data?.insert_resources_one?.id ?? '';
  }

  /** As it was deployed while the server isolated apps. */
  async function deployedBefore(change: Partial<AppValues> = {}): Promise<string> {
    const { id } = await backend.db
      .insertInto('public.resources')
      .values({
        user_id: second.user.id,
        chart_name: chartNameOf('app'),
        chart_version: '0.0',
        values: JSON.stringify({ ...appValues(projectId), ...change }),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  const update = (id: string, change: Partial<AppValues>) =>
    send(UPDATE_RESOURCE, { id, values: { ...appValues(projectId), ...change } });

  async function expectRefused(response: Promise<unknown>): Promise<void> {
    const before = await rows();
    expect(await response).toEqual({
      errors: [
        { message: REFUSED, extensions: expect.objectContaining({ code: 'validation-failed' }) },
      ],
    });
    expect(await rows()).toEqual(before);
  }

  const rows = async () =>
    (await backend.pool.query('select * from public.resources order by id')).rows;

  it('the first account deploys', async () => {
    const project = await insertedId('project', { userId: first.user.id, name: 'Own' }, first);
    await insertedId('app', appValues(project), first);
  });

  it('another account creates nothing, and reads what is missing', async () => {
    await expectRefused(insert('app', appValues(projectId)));
  });

  it('a running app of another account gets no other release', async () => {
    const id = await deployedBefore();
    await expectRefused(update(id, { env: { COLOUR: 'blue' } }));
    await expectRefused(send('mutation ($id: uuid!) { redeploy_app(id: $id) { id } }', { id }));
  });

  it('a running app of another account can be renamed, hibernated and deleted, but not woken', async () => {
    const id = await deployedBefore();
    expect(await update(id, { name: 'renamed' })).toHaveProperty('data');
    expect(await update(id, { instances: 0 })).toHaveProperty('data');
    await expectRefused(update(id, { instances: 1 }));
    expect(
      await send('mutation ($id: uuid!) { delete_resources_by_pk(id: $id) { id } }', { id }),
    ).toEqual({ data: { delete_resources_by_pk: { id } } });
    await expectRefused(
      send(
        'mutation ($id: uuid!) { update_resources_by_pk(pk_columns: {id: $id}, _set: {deleted: false, values: $values}) { id } }'.replace(
          '($id: uuid!)',
          '($id: uuid!, $values: jsonb!)',
        ),
        { id, values: appValues(projectId) },
      ),
    );
  });
});

it('every account deploys where everybody is trusted', async () => {
  const backend = await startBackend({
    deployPolicy: { isolation: async () => NOT_ISOLATED, trustEverybody: true },
  });
  await backend.signUp();
  const second = await backend.signUp();
  const variables = { userId: second.user.id, chartVersion: '0.0' };
  const send = (kind: 'project' | 'app', values: unknown) =>
    backend.post<{ data: { insert_resources_one: { id: string } } }>(
      '/v1/graphql',
      { query: INSERT_RESOURCE, variables: { ...variables, chartName: chartNameOf(kind), values } },
      bearer(second),
    );
  const project = await send('project', { userId: second.user.id, name: 'Own' });
  const { body } = await send('app', appValues(project.body.data.insert_resources_one.id));
  expect(body).toHaveProperty('data.insert_resources_one.id');
  await stopWithoutErrors(backend);
});
