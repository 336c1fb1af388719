import { randomUUID } from 'node:crypto';
import { chartNameOf, DELETE_RESOURCE, type Session } from '@longshore/contract';
import { type GitHost, startGitlabHost } from '@longshore/testkit/git-hosts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Backend, bearer, startBackend } from '../../../test/backend.ts';
import {
  clientAt,
  connectByOauth,
  integrationsOf,
} from '../../../test/connect/oauth-connection.ts';
import { appValues } from '../../../test/values.ts';

let host: GitHost;
let backend: Backend;
let ada: Session;
let id: string;

beforeAll(async () => {
  host = await startGitlabHost();
  backend = await startBackend({
    connect: {
      allowLocalSources: true,
      oauthClients: clientAt(host, 'gitlab'),
      gitHosts: { gitlab: host.url, github: 'https://github.com' },
    },
  });
});
beforeEach(async () => {
  ada = await backend.signUp();
  backend.errors.length = 0;
  host.intercept = undefined;
  host.requests.length = 0;
  await connectByOauth(backend, ada, 'gitlab');
  id = (await integrationsOf(backend, ada))[0].id;
});
afterAll(async () => {
  await host.close();
  await backend.stop();
});

const remove = (query = '', session = ada) =>
  backend.request(`/v1/connect/integrations/${id}${query}`, {
    method: 'DELETE',
    headers: bearer(session),
  });

const REMOVED = [{ deleted: true, secrets: 0 }];

function revocations() {
  return host.requests.filter(({ url }) => url.pathname === '/oauth/revoke');
}

async function createApp(changes: object, deleted = false): Promise<string> {
  const { id: appId } = await backend.db
    .insertInto('public.resources')
    .values({
      user_id: ada.user.id,
      chart_name: chartNameOf('app'),
      chart_version: '0.0',
      values: JSON.stringify({ ...appValues(randomUUID()), ...changes }),
      deleted,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return appId;
}

it('deletes resource and secrets, and revokes the token at the provider', async () => {
  expect((await remove()).status).toBe(204);
  expect(await integrationsOf(backend, ada)).toMatchObject(REMOVED);
  expect(revocations()).toHaveLength(1);
  expect((await remove()).status).toBe(404);
  expect(backend.errors).toEqual([]);
});

it('records connecting and deleting in the audit log', async () => {
  await remove();
  const { body } = await backend.request<{ events: { kind: string; details: unknown }[] }>(
    '/v1/auth/events',
    { headers: bearer(ada) },
  );
  const details = { provider: 'gitlab', host: new URL(host.url).host, account: 'ada' };
  expect(body.events).toMatchObject([
    { kind: 'integration-removed', details },
    { kind: 'integration-connected', details },
    { kind: 'signed-up' },
  ]);
});

it('deletes the integration even if the provider fails', async () => {
  host.intercept = () => ({ status: 503, body: {} });
  expect((await remove()).status).toBe(204);
  expect(await integrationsOf(backend, ada)).toMatchObject(REMOVED);
  expect(backend.errors).toHaveLength(1);
});

it('removes all hooks at the provider concurrently', async () => {
  const names = ['one', 'two', 'three'];
  for (const name of names) await createAppWithWebhook(name);
  const removals: string[] = [];
  const allArrived = Promise.withResolvers<undefined>();
  host.intercept = ({ method, segments }) => {
    if (method !== 'DELETE' || !segments.includes('hooks')) return undefined;
    removals.push(segments.join('/'));
    if (removals.length === names.length) allArrived.resolve(undefined);
    return allArrived.promise;
  };
  expect((await remove('?force=true')).status).toBe(204);
  expect(removals).toHaveLength(names.length);
  expect(backend.errors).toEqual([]);
  expect(host.state.hooks).toEqual([]);
});

async function createAppWithWebhook(name: string): Promise<void> {
  const repository = `group/${name}`;
  host.state.addRepository({ fullName: repository, members: ['ada'] });
  const url = `${host.url}/${repository}.git`;
  const appId = await createApp({ source: { enabled: true, url, ref: 'main', secretName: id } });
  const path = `/v1/connect/apps/${appId}/webhook`;
  const { body } = await backend.post(path, { enabled: true }, bearer(ada));
  expect(body.state).toBe('registered');
}

it('does not revoke a personal access token', async () => {
  const token = host.state.issueToken('grace');
  const { body } = await backend.post<{ id: string }>(
    '/v1/connect/auth/token',
    { provider: 'gitlab', token },
    bearer(ada),
  );
  id = body.id;
  expect((await remove()).status).toBe(204);
  expect(host.state.userOf(`Bearer ${token}`)).toBeDefined();
});

it('refuses to delete an integration in use and lists its apps, unless forced', async () => {
  const source = { enabled: true, url: 'https://a.example/b.git', ref: 'main', secretName: id };
  const appId = await createApp({ name: 'shop', source });
  await createApp({ name: 'deleted', source }, true);
  await createApp({ name: 'by-image', source: { ...source, enabled: false } });
  const response = await remove();
  expect(response).toMatchObject({
    status: 409,
    body: {
      error: 'integration-in-use',
      message: 'Apps use this integration: shop',
      apps: [{ id: appId, name: 'shop', projectId: expect.any(String) }],
    },
  });
  expect(await integrationsOf(backend, ada)).toMatchObject([{ deleted: false, secrets: 1 }]);
  expect(revocations()).toEqual([]);
  expect((await remove('?force=true')).status).toBe(204);
  expect(await integrationsOf(backend, ada)).toMatchObject(REMOVED);
});

it('keeps the state reconnect when the deletion is refused', async () => {
  await backend.pool.query(
    `update public.resources set values = values || '{"state": "reconnect"}' where id = $1`,
    [id],
  );
  const source = { enabled: true, url: 'https://a.example/b.git', ref: 'main', secretName: id };
  await createApp({ source });
  expect((await remove()).status).toBe(409);
  expect(await integrationsOf(backend, ada)).toMatchObject([{ values: { state: 'reconnect' } }]);
});

it('refuses to delete an integration with which an app pulls images', async () => {
  const container = { image: 'a.example/b', updatePolicy: 'Always', pullSecretName: id };
  await createApp({ source: { enabled: false }, container });
  expect((await remove()).status).toBe(409);
});

it('responds with 404 to another user', async () => {
  expect((await remove('', await backend.signUp())).status).toBe(404);
  expect((await remove('?force=true', await backend.signUp())).status).toBe(404);
  expect(await integrationsOf(backend, ada)).toMatchObject([{ deleted: false, secrets: 1 }]);
});

it.each(['nonsense', '..', '%00', '00000000-0000-0000-0000-000000000000'])(
  'responds with 404 to the integration id %s',
  async (integrationId) => {
    const init = { method: 'DELETE', headers: bearer(ada) };
    expect((await backend.request(`/v1/connect/integrations/${integrationId}`, init)).status).toBe(
      404,
    );
  },
);

it('deletes the secrets when the resource is deleted by GraphQL', async () => {
  const { body } = await backend.post(
    '/v1/graphql',
    { query: DELETE_RESOURCE, variables: { id } },
    bearer(ada),
  );
  expect(body).not.toHaveProperty('errors');
  expect(await integrationsOf(backend, ada)).toMatchObject(REMOVED);
});

it('deletes the secrets when the user is deleted', async () => {
  await backend.pool.query('delete from auth.users where id = $1', [ada.user.id]);
  const { rows } = await backend.pool.query(
    'select from connect.secrets where integration_id = $1',
    [id],
  );
  expect(rows).toEqual([]);
});

it('does not restore a deleted integration by GraphQL', async () => {
  await remove();
  const query = `mutation { update_resources_by_pk(pk_columns: {id: "${id}"}, _set: {deleted: false}) { id } }`;
  const { body } = await backend.post('/v1/graphql', { query }, bearer(ada));
  expect(body).toMatchObject({
    errors: [{ message: expect.stringContaining('integrations service') }],
  });
  expect(await integrationsOf(backend, ada)).toMatchObject(REMOVED);
});
