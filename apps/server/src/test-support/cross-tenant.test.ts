import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chartNameOf, INSERT_RESOURCE, type Session } from '@longshore/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backend, bearer, startBackend } from './backend.ts';
import { appValues } from './values.ts';

/**
 * Eve tries everything with Ada's ids, and must get what she gets for ids that do not exist. A new operation
 * or stream joins this list.
 */
let backend: Backend;
let ada: Session;
let eve: Session;
let ids: Ids;
const NOTHING = {
  project: '00000000-0000-4000-8000-000000000001',
  app: '00000000-0000-4000-8000-000000000002',
  session: '00000000-0000-4000-8000-000000000003',
  pat: '00000000-0000-4000-8000-000000000004',
  file: '00000000-0000-4000-8000-000000000005',
  user: '00000000-0000-4000-8000-000000000006',
};

beforeAll(async () => {
  backend = await startBackend();
  [ada, eve] = [await backend.signUp(), await backend.signUp()];
  const project = await insert('project', { userId: ada.user.id, name: 'Private' });
  const { body: pat } = await backend.post<{ id: string }>(
    '/v1/auth/pat',
    { expiresAt: '2099-01-01T00:00:00Z' },
    bearer(ada),
  );
  ids = {
    project,
    app: await insert('app', appValues(project)),
    session: ada.refreshTokenId,
    pat: pat.id,
    file: await storeFile(ada),
    user: ada.user.id,
  };
  backend.logs.append(ids.app, 'app-1', 'secret line');
  await writeFile(
    join(backend.folder, 'functions', 'who.js'),
    'export default (_, context) => Response.json(context)',
  );
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

async function insert(kind: 'project' | 'app', values: unknown): Promise<string> {
  const variables = {
    userId: ada.user.id,
    chartName: chartNameOf(kind),
    chartVersion: '0.0',
    values,
  };
  const { body } = await backend.post<{ data: { insert_resources_one: { id: string } } }>(
    '/v1/graphql',
    { query: INSERT_RESOURCE, variables },
    bearer(ada),
  );
  return body.data.insert_resources_one.id;
}

async function storeFile(session: Session): Promise<string> {
  const { body } = await backend.ask<{ processedFiles: { id: string }[] }>('/v1/storage/files', {
    method: 'POST',
    body: fileForm('file[]'),
    headers: bearer(session),
  });
  return body.processedFiles[0]?.id ?? '';
}

function fileForm(field: string): FormData {
  const form = new FormData();
  form.append(field, new Blob(['secret']), 'secret.txt');
  return form;
}

type Ids = typeof NOTHING;
const graphql = (query: (target: Ids) => string) => (target: Ids) =>
  backend.post('/v1/graphql', { query: query(target) }, bearer(eve));

const remove = (path: (target: Ids) => string) => (target: Ids) =>
  backend.ask(`/v1/auth${path(target)}`, { method: 'DELETE', headers: bearer(eve) });

const files =
  (method: string, { path = '', body }: { path?: string; body?: FormData } = {}) =>
  ({ file }: Ids) =>
    backend.ask(`/v1/storage/files/${file}${path}`, {
      method,
      headers: bearer(eve),
      ...(body && { body }),
    });

const OPERATIONS: Record<string, (target: Ids) => Promise<{ status: number; body: unknown }>> = {
  resources: graphql(({ app }) => `{ resources(where: {id: {_eq: "${app}"}}) { id values } }`),
  resources_by_pk: graphql(({ app }) => `{ resources_by_pk(id: "${app}") { id values } }`),
  update_resources: graphql(
    ({ app }) =>
      `mutation { update_resources(where: {id: {_eq: "${app}"}}, _set: {deleted: true}) { affected_rows returning { id } } }`,
  ),
  update_resources_by_pk: graphql(
    ({ project }) =>
      `mutation { update_resources_by_pk(pk_columns: {id: "${project}"}, _set: {deleted: true}) { id } }`,
  ),
  'insert into a project': ({ project }) =>
    backend.post(
      '/v1/graphql',
      {
        query: INSERT_RESOURCE,
        variables: {
          userId: eve.user.id,
          chartName: chartNameOf('app'),
          chartVersion: '0.0',
          values: appValues(project),
        },
      },
      bearer(eve),
    ),
  logs: ({ project, app }) =>
    backend.post('/v1/logs', { projectId: project, appId: app, follow: true }, bearer(eve)),
  'reading a file': files('GET'),
  'asking for a file': files('HEAD'),
  'replacing a file': (target) => files('PUT', { body: fileForm('file') })(target),
  'removing a file': files('DELETE'),
  'sharing a file': files('GET', { path: '/presignedurl' }),
  'reading a shared file': files('GET', {
    path: '/presignedurl/contents?key=a&expires=9999999999',
  }),
  'calling a function as somebody else': ({ user }) =>
    backend.post('/v1/functions/who', {}, { ...bearer(eve), 'x-hasura-user-id': user }),
  'ending a session': remove(({ session }) => `/sessions/${session}`),
  'ending a personal access token': remove(({ pat }) => `/personal-access-tokens/${pat}`),
};

describe.each(Object.entries(OPERATIONS))('%s', (_, operation) => {
  it('tells nothing of what belongs to somebody else', async () => {
    const [foreign, missing] = [await operation(ids), await operation(NOTHING)];
    expect({ status: foreign.status, body: foreign.body }).toEqual({
      status: missing.status,
      body: missing.body,
    });
  });
});

it('changed nothing', async () => {
  const own = await backend.app.request(`/v1/storage/files/${ids.file}`, { headers: bearer(ada) });
  expect(await own.text()).toBe('secret');
  const rows = await backend.db
    .selectFrom('public.resources')
    .select(['user_id', 'deleted'])
    .execute();
  expect(rows).toEqual([
    { user_id: ada.user.id, deleted: false },
    { user_id: ada.user.id, deleted: false },
  ]);
  const [pats, sessions] = await Promise.all([
    backend.db.selectFrom('auth.personal_access_tokens').select('user_id').execute(),
    backend.db.selectFrom('auth.refresh_tokens').select('user_id').execute(),
  ]);
  expect(pats.map((row) => row.user_id)).toEqual([ada.user.id]);
  expect(sessions.map((row) => row.user_id)).toContain(ada.user.id);
});
