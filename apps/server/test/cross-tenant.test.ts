import { randomBytes, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chartNameOf, INSERT_RESOURCE, OPERATOR_PATHS, type Session } from '@longshore/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  startWithAuthenticators,
  type UsersWithAuthenticators,
} from './auth/users-with-authenticators.ts';
import { type Backend, bearer } from './backend.ts';
import { appValues } from './values.ts';

/**
 * Eve uses Ada's ids in every endpoint and must get the same response as for ids that do not exist. The attempts come
 * from the route table: every path with an id is tried, and a path with an unknown kind of id fails until this test
 * creates one for Ada. GraphQL queries are in `cross-tenant-graphql.test.ts`.
 */
let backend: Backend;
let users: UsersWithAuthenticators;
let ada: Session;
let eve: Session;
let evesEmail: string;
let evesProject: string;
let ids: Ids;
let before: unknown;

type Ids = Record<
  | ('user' | 'project' | 'app' | 'session' | 'pat' | 'key' | 'file' | 'integration' | 'hook')
  | ('recoveryCode' | 'invitation'),
  string
>;

const MISSING_IDS: Ids = {
  user: randomUUID(),
  project: randomUUID(),
  app: randomUUID(),
  session: randomUUID(),
  pat: randomUUID(),
  key: randomUUID(),
  file: randomUUID(),
  integration: randomUUID(),
  hook: randomUUID(),
  recoveryCode: '2222-2222-2222',
  invitation: randomUUID(),
};

/** The kind of id in a path, by the segment before it. */
const ID_KINDS: Record<string, keyof Ids> = {
  'personal-access-tokens': 'pat',
  sessions: 'session',
  'security-keys': 'key',
  files: 'file',
  integrations: 'integration',
  apps: 'app',
  'deploy-hooks': 'app',
  hooks: 'hook',
  users: 'user',
  invitations: 'invitation',
};

beforeAll(async () => {
  ({ backend, users } = await startWithAuthenticators());
  const { recoveryCode, ...adaWithCodes } = await users.newUserWithRecoveryCodes();
  const eveWithCodes = await users.newUserWithRecoveryCodes();
  [ada, eve, evesEmail] = [adaWithCodes.session, eveWithCodes.session, eveWithCodes.email];
  evesProject = await insert('project', { userId: eve.user.id, name: 'Own' }, eve);
  const project = await insert('project', { userId: ada.user.id, name: 'Private' });
  const app = await insert('app', appValues(project));
  const deployHook = `/v1/connect/apps/${app}/deploy-hook`;
  expect((await backend.post(deployHook, {}, bearer(ada))).status).toBe(200);
  ids = {
    user: ada.user.id,
    project,
    app,
    session: ada.refreshTokenId,
    pat: await pat(),
    key: await key(),
    file: await file(),
    integration: await integration(),
    hook: await hook(app),
    recoveryCode,
    invitation: await invitation(),
  };
  backend.logs.append(ids.app, 'app-1', 'secret line');
  backend.logs.appendAccess(ids.app, [{ at: 1, text: 'secret line of a request' }]);
  await writeFile(
    join(backend.folder, 'functions', 'context.js'),
    'export default (_, context) => Response.json(context)',
  );
  before = await allRows();
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

async function insert(kind: 'project' | 'app', values: unknown, session = ada): Promise<string> {
  const variables = {
    userId: session.user.id,
    chartName: chartNameOf(kind),
    chartVersion: '0.0',
    values,
  };
  const { body } = await backend.post<{ data: { insert_resources_one: { id: string } } }>(
    '/v1/graphql',
    { query: INSERT_RESOURCE, variables },
    bearer(session),
  );
  return body.data.insert_resources_one.id;
}

async function pat(): Promise<string> {
  const request = { expiresAt: '2099-01-01T00:00:00Z' };
  return (await backend.post<{ id: string }>('/v1/auth/pat', request, bearer(ada))).body.id;
}

async function key(): Promise<string> {
  const row = { user_id: ada.user.id, credential_id: randomUUID(), public_key: randomBytes(8) };
  const insertion = backend.db.insertInto('auth.security_keys').values(row).returning('id');
  return (await insertion.executeTakeFirstOrThrow()).id;
}

async function file(): Promise<string> {
  const init = { method: 'POST', body: upload('file[]'), headers: bearer(ada) };
  const { body } = await backend.request<{ processedFiles: { id: string }[] }>(
    '/v1/storage/files',
    init,
  );
  return body.processedFiles[0]?.id ?? '';
}

async function integration(): Promise<string> {
  const values = { provider: 'gitlab', type: 'ssh', host: 'gitlab.com', account_name: 'secret' };
  const { id } = await backend.db
    .insertInto('public.resources')
    .values({
      user_id: ada.user.id,
      chart_name: chartNameOf('credential'),
      chart_version: '0.0',
      values: JSON.stringify({ ...values, account_id: '1', state: 'connected' }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const secret = { integration_id: id, name: 'account', sealed: 'a secret' };
  await backend.db.insertInto('connect.secrets').values(secret).execute();
  return id;
}

async function hook(appId: string): Promise<string> {
  const { rows } = await backend.pool.query<{ id: string }>(
    'insert into connect.hooks (app_id) values ($1) returning id',
    [appId],
  );
  return rows[0]?.id ?? '';
}

async function invitation(): Promise<string> {
  const email = 'secret@example.com';
  const row = { email, expires_at: new Date(Date.now() + 1e9) };
  const insertion = backend.db.insertInto('auth.invitations').values(row).returning('id');
  return (await insertion.executeTakeFirstOrThrow()).id;
}

function upload(name: string): FormData {
  const form = new FormData();
  form.set(name, new File(['secret of Ada'], 'secret.txt'));
  return form;
}

/** Every row that could be changed. */
async function allRows(): Promise<unknown> {
  const tables = [
    ...['public.resources', 'storage.files', 'auth.personal_access_tokens', 'auth.security_keys'],
    ...['auth.refresh_tokens', 'connect.secrets', 'connect.attempts', 'connect.hooks'],
    ...['auth.users', 'deploy.domain_claims', 'deploy.domain_checks', 'deploy.domain_tokens'],
    ...['auth.invitations', 'auth.sign_up_settings', 'deploy.quotas', 'deploy.sealed_values'],
    ...['deploy.certificates', 'deploy.certificate_orders', 'deploy.acme_accounts'],
  ];
  const results = tables.map((table) => backend.pool.query(`select * from ${table} order by 1`));
  return (await Promise.all(results)).map(({ rows }) => rows);
}

type Result = { status: number; text: string };
type Attempt = (target: Ids) => Promise<Result>;

async function request(path: string, init: RequestInit): Promise<Result> {
  const response = await backend.app.request(path, {
    ...init,
    headers: { ...bearer(eve), ...init.headers },
  });
  return { status: response.status, text: await response.text() };
}

async function expectSameAsMissing(attempt: Attempt): Promise<void> {
  const [foreign, missing] = [await attempt(ids), await attempt(MISSING_IDS)];
  const withoutIds = ({ status, text }: Result, of: Ids) => ({
    status,
    text: Object.values(of).reduce((inner, id) => inner.replaceAll(id, 'ID'), text),
  });
  expect(withoutIds(foreign, ids)).toEqual(withoutIds(missing, MISSING_IDS));
  expect(foreign.status).not.toBe(415);
  // The name of a field is not secret.
  expect(foreign.text).not.toMatch(/secret(?!Name)/);
}

const post = (path: string, body: unknown) =>
  request(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });

const SOURCE = { enabled: true, url: 'https://gitlab.com/a/b.git', ref: 'main' };

/** Creates an app of Eve in her own project. */
function insertApp(change: object): Promise<Result> {
  const values = { ...appValues(evesProject), ...change };
  const chartName = chartNameOf('app');
  return post('/v1/graphql', {
    query: INSERT_RESOURCE,
    variables: { userId: eve.user.id, chartName, chartVersion: '0.0', values },
  });
}

const BY_BODY: Record<string, Attempt> = {
  'POST /v1/graphql': ({ project }) =>
    post('/v1/graphql', {
      query: INSERT_RESOURCE,
      variables: {
        userId: eve.user.id,
        chartName: chartNameOf('app'),
        chartVersion: '0.0',
        values: appValues(project),
      },
    }),
  'POST /v1/graphql with an integration to clone with': ({ integration }) =>
    insertApp({ source: { ...SOURCE, secretName: integration } }),
  'POST /v1/graphql with an integration to pull with': ({ integration }) =>
    insertApp({
      container: { image: 'nginx', updatePolicy: 'Always', pullSecretName: integration },
    }),
  'POST /v1/graphql with a reference': () =>
    insertApp({ name: 'own', env: { A: '${{hello.URL}}' } }),
  'POST /v1/logs': ({ project, app }) =>
    post('/v1/logs', { projectId: project, appId: app, follow: true }),
  'POST /v1/logs for requests': ({ project, app }) =>
    post('/v1/logs', { projectId: project, appId: app, kind: 'access', follow: true }),
  'POST /v1/logs/search for requests': ({ project, app }) =>
    post('/v1/logs/search', { projectId: project, appId: app, kind: 'access', text: 'line' }),
  'POST /v1/logs/download for requests': ({ project, app }) =>
    post('/v1/logs/download', { projectId: project, appId: app, kind: 'access' }),
  'POST /v1/logs/search': ({ project, app }) =>
    post('/v1/logs/search', { projectId: project, appId: app, text: 'line' }),
  'POST /v1/logs/download': ({ project, app }) =>
    post('/v1/logs/download', { projectId: project, appId: app }),
  'POST /v1/logs/kept': ({ project, app }) =>
    post('/v1/logs/kept', { projectId: project, appId: app }),
  'GET /v1/usage': ({ user }) =>
    request(`/v1/usage?userId=${user}`, { headers: { 'x-hasura-user-id': user } }),
  'GET /v1/isolation': ({ user }) =>
    request(`/v1/isolation?userId=${user}`, { headers: { 'x-hasura-user-id': user } }),
  'POST /v1/domains': ({ project, app }) => post('/v1/domains', { projectId: project, appId: app }),
  'POST /v1/domains/check': ({ project, app }) =>
    post('/v1/domains/check', { projectId: project, appId: app, domain: 'shop.example.com' }),
  'POST /v1/domains/secure-hosts': ({ project }) =>
    post('/v1/domains/secure-hosts', { projectId: project }),
  'POST /v1/domains/retry-certificate': ({ project, app }) =>
    post('/v1/domains/retry-certificate', {
      projectId: project,
      appId: app,
      domain: 'shop.example.com',
    }),
  'POST /v1/auth/user/mfa with a recovery code': ({ recoveryCode }) =>
    post('/v1/auth/user/mfa', { code: recoveryCode }),
  'POST /v1/auth/mfa/recovery-codes/generate with a recovery code': ({ recoveryCode }) =>
    post('/v1/auth/mfa/recovery-codes/generate', { code: recoveryCode }),
  'POST /v1/auth/signin/mfa/totp with a recovery code': async ({ recoveryCode }) => {
    const { ticket } = (await users.signIn(evesEmail)).mfa;
    return await post('/v1/auth/signin/mfa/totp', { ticket, otp: recoveryCode });
  },
  'POST /v1/functions/context': ({ user }) =>
    request('/v1/functions/context', { method: 'POST', headers: { 'x-hasura-user-id': user } }),
};

describe.each(Object.entries(BY_BODY))('%s', (_, attempt) => {
  it('responds as if the ids of another user did not exist', () => expectSameAsMissing(attempt));
});

it('responds the same for every path with an id', async () => {
  const routesWithId = backend.app.routes.filter(
    ({ method, path }) => method !== 'ALL' && /:(?!provider\b)/.test(path),
  );
  const tried = new Set<string>();
  for (const { method, path } of [...routesWithId, ...headRoutes(routesWithId)]) {
    const [, segment = ''] = /([^/]+)\/:\w+/.exec(path) ?? [];
    const kind = ID_KINDS[segment];
    if (kind === undefined)
      throw new Error(
        `${path} has an unknown kind of id: add it to ID_KINDS and create one for Ada`,
      );
    tried.add(kind);
    const body = method === 'PUT' ? { body: upload('file') } : {};
    await expectSameAsMissing((target) =>
      request(path.replace(/:\w+/, target[kind]), { method, ...body }),
    );
  }
  expect([...tried].sort()).toEqual([...new Set(Object.values(ID_KINDS))].sort());
});

/** Every GET route also responds to HEAD. */
function headRoutes(routes: { method: string; path: string }[]) {
  return routes
    .filter(({ method }) => method === 'GET')
    .map(({ path }) => ({ method: 'HEAD', path }));
}

it('has nothing at the paths of the operator service for other users', async () => {
  const paths = [...Object.values(OPERATOR_PATHS), '/unknown'];
  const nothing = await request('/v1/unknown', {});
  expect(nothing.status).toBe(404);
  for (const path of paths) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      const body =
        method === 'GET' ? {} : { body: JSON.stringify({ mode: 'closed', email: evesEmail }) };
      const filled = path.replace(':id', path.startsWith('/users') ? ids.user : ids.invitation);
      expect(await request(`/v1/operator${filled}`, { method, ...body })).toEqual(nothing);
    }
  }
});

it.each(['/v1/logs', '/v1/domains'])('tries every path of %s', (service) => {
  const paths = backend.app.routes
    .filter(({ method, path }) => method === 'POST' && path.startsWith(service))
    .map(({ path }) => `POST ${path}`);
  expect(paths.length).toBeGreaterThan(1);
  expect(Object.keys(BY_BODY)).toEqual(expect.arrayContaining(paths));
});

it('has changed nothing', async () => {
  const own = await backend.app.request(`/v1/storage/files/${ids.file}`, { headers: bearer(ada) });
  expect(await own.text()).toBe('secret of Ada');
  expect(await allRows()).toEqual(before);
});
