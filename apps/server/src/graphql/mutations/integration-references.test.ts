import { randomUUID } from 'node:crypto';
import {
  chartNameOf,
  INSERT_RESOURCE,
  type IntegrationValues,
  type Session,
  UPDATE_RESOURCE,
} from '@longshore/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../../../test/backend.ts';
import { appValues } from '../../../test/values.ts';

type Kind = IntegrationValues['type'];

let backend: Backend;
let ada: Session;
let eve: Session;
let project: string;

beforeAll(async () => {
  backend = await startBackend();
  [ada, eve] = [await backend.signUp(), await backend.signUp()];
});
afterAll(() => stopWithoutErrors(backend));
beforeEach(async () => {
  project = (await insert('project', { userId: ada.user.id, name: 'Own' })).id ?? '';
});

async function insert(kind: 'project' | 'app' | 'credential', values: unknown) {
  const variables = {
    userId: ada.user.id,
    chartName: chartNameOf(kind),
    chartVersion: '0.0',
    values,
  };
  const { body } = await backend.post<Response>(
    '/v1/graphql',
    { query: INSERT_RESOURCE, variables },
    bearer(ada),
  );
  return { id: body.data?.insert_resources_one.id, error: body.errors?.[0]?.message };
}

type Response = {
  data?: { insert_resources_one: { id: string } };
  errors?: { message: string }[];
};

async function update(id: string | undefined, values: unknown): Promise<string | undefined> {
  const { body } = await backend.post<Response>(
    '/v1/graphql',
    { query: UPDATE_RESOURCE, variables: { id, values } },
    bearer(ada),
  );
  return body.errors?.[0]?.message;
}

async function integration({ user }: Session, type: Kind, deleted = false): Promise<string> {
  const values = { provider: 'gitlab', type, host: 'a.example', account_id: randomUUID() };
  const { id } = await backend.db
    .insertInto('public.resources')
    .values({
      user_id: user.id,
      chart_name: chartNameOf('credential'),
      chart_version: '0.0',
      values: JSON.stringify(values),
      deleted,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const FIELDS: [string, Kind, (id: string) => object][] = [
  [
    'source.secretName',
    'ssh',
    (id) => ({
      source: { enabled: true, url: 'https://a.example/b.git', ref: 'main', secretName: id },
    }),
  ],
  [
    'container.pullSecretName',
    'docker',
    (id) => ({
      source: { enabled: false },
      container: { image: 'a.example/b', updatePolicy: 'Always', pullSecretName: id },
    }),
  ],
];

describe.each(FIELDS)('%s', (field, type, referTo) => {
  const notFound = `values.${field}: Integration not found`;
  const values = (id: string) => ({ ...appValues(project), ...referTo(id) });

  it('accepts an own integration', async () => {
    const id = await integration(ada, type);
    expect(await insert('app', values(id))).toMatchObject({ id: expect.any(String) });
  });

  it('may be empty', async () => {
    expect((await insert('app', values(''))).error).toBeUndefined();
  });

  it.each<[string, () => Promise<string>]>([
    ['an integration of another user', () => integration(eve, type)],
    ['a deleted integration', () => integration(ada, type, true)],
    ['an integration of the wrong type', () => integration(ada, type === 'ssh' ? 'docker' : 'ssh')],
    ['an unknown id', async () => randomUUID()],
    ['a project', async () => project],
    ['a malformed id', async () => "' or 1=1 --"],
  ])('rejects %s, at insert and at update', async (_, createId) => {
    const id = await createId();
    expect((await insert('app', values(id))).error).toBe(notFound);
    const app = await insert('app', values(''));
    expect(await update(app.id, values(id))).toBe(notFound);
  });

  it('may keep an integration that was deleted', async () => {
    const id = await integration(ada, type);
    const app = await insert('app', values(id));
    await backend.pool.query('update public.resources set deleted = true where id = $1', [id]);
    expect(await update(app.id, { ...values(id), instances: 0 })).toBeUndefined();
    expect(await update(app.id, values(''))).toBeUndefined();
    expect(await update(app.id, values(id))).toBe(notFound);
  });
});

it('rejects writing integrations over GraphQL', async () => {
  const values = { provider: 'gitlab', type: 'ssh', account_name: 'ada' };
  const refused = 'chart_name: integrations are connected through the integrations service';
  expect((await insert('credential', values)).error).toBe(refused);
  expect(await update(await integration(ada, 'ssh'), values)).toBe(refused);
});
