import type { Session } from '@longshore/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../../../test/backend.ts';
import { type FakeRegistry, startFakeRegistry } from '../../../test/connect/fake-registry.ts';

const PASSWORD = 'hunter2 – ünïcode:colon';
const REFUSED = {
  status: 401,
  error: 'unauthorized',
  message: 'Authentication failed. Please check your credentials.',
};

let backend: Backend;
let ada: Session;
let hub: FakeRegistry;

beforeAll(async () => {
  hub = await startFakeRegistry('bearer');
  hub.accounts.set('ada', PASSWORD);
  backend = await startBackend({ connect: { allowLocalSources: true, dockerHubUrl: hub.url } });
});
beforeEach(async () => {
  ada = await backend.signUp();
});
afterAll(async () => {
  await hub.close();
  await stopWithoutErrors(backend);
});

const connect = (path: string, body: unknown) =>
  backend.post(`/v1/connect/auth/${path}`, body, bearer(ada));

async function storedIntegrations() {
  const { rows } = await backend.pool.query(
    `select values, deleted, (select count(*)::int from connect.secrets where integration_id = id) as secrets
     from public.resources where user_id = $1 order by created_at`,
    [ada.user.id],
  );
  return rows;
}

describe('Docker Hub', () => {
  it('is connected with a user name and password that its token endpoint accepts', async () => {
    const { status, body } = await connect('dockerhub', { username: ' ada ', password: PASSWORD });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.any(String),
      provider: 'dockerhub',
      account_name: 'ada',
    });
    const values = {
      provider: 'dockerhub',
      type: 'docker',
      auth_type: 'credentials',
      host: 'docker.io',
      account_name: 'ada',
      account_id: 'ada',
      state: 'connected',
    };
    expect(await storedIntegrations()).toEqual([{ values, deleted: false, secrets: 1 }]);
  });

  it('keeps the same integration when it is connected again', async () => {
    const login = { username: 'ada', password: PASSWORD };
    const [first, second] = [await connect('dockerhub', login), await connect('dockerhub', login)];
    expect(second.body).toEqual(first.body);
    expect(await storedIntegrations()).toHaveLength(1);
  });

  it('stores nothing if the password is wrong', async () => {
    const { status, body } = await connect('dockerhub', { username: 'ada', password: 'wrong' });
    expect([status, body]).toEqual([401, REFUSED]);
    expect(await storedIntegrations()).toEqual([]);
  });

  it.each([
    [{}],
    [{ username: 'ada' }],
    [{ password: PASSWORD }],
    [{ username: '  ', password: PASSWORD }],
  ])('requires user name and password: %j', async (body) => {
    const before = hub.requests.length;
    expect(await connect('dockerhub', body)).toMatchObject({
      status: 400,
      body: { message: 'Please enter both username and password' },
    });
    expect(hub.requests).toHaveLength(before);
  });

  it.each([
    [[]],
    ['{'],
    [null],
    [{ username: 7, password: {} }],
    [{ username: 'a:b', password: 'c' }],
    [{ username: 'a\nb', password: 'c' }],
    [{ username: 'a'.repeat(201), password: 'c' }],
    [{ username: 'a\0', password: 'c' }],
    [{ username: 'a\ud800', password: 'c' }],
  ])('refuses %j', async (body) => {
    expect((await connect('dockerhub', body)).status).toBe(400);
  });

  it('requires an access token', async () => {
    const { status } = await backend.post('/v1/connect/auth/dockerhub', {
      username: 'ada',
      password: PASSWORD,
    });
    expect(status).toBe(401);
  });
});

describe('a registry', () => {
  let registry: FakeRegistry;
  afterEach(() => registry.close());

  it.each(['basic', 'bearer', 'open'] as const)(
    'with %s authentication is connected if the password is correct',
    async (kind) => {
      registry = await startFakeRegistry(kind);
      registry.accounts.set('ada', PASSWORD);
      const { host } = registry;
      const wrong = await connect('registry', { host, username: 'ada', password: 'wrong' });
      expect([wrong.status, wrong.body]).toEqual([401, REFUSED]);
      const right = await connect('registry', { host, username: 'ada', password: PASSWORD });
      expect(right).toMatchObject({ status: 200, body: { provider: 'registry' } });
      expect(await storedIntegrations()).toMatchObject([{ values: { host, type: 'docker' } }]);
    },
  );

  it.each([
    [404, 422, 'no-registry'],
    [403, 401, 'unauthorized'],
    [429, 429, 'too-many-requests'],
    [503, 502, 'out-of-order'],
  ])('that responds with %s is refused with %s', async (registryStatus, status, error) => {
    registry = await startFakeRegistry('basic');
    registry.intercept = (_, response) => {
      response.writeHead(registryStatus).end();
      return true;
    };
    const { host } = registry;
    const response = await connect('registry', { host, username: 'ada', password: PASSWORD });
    expect(response).toMatchObject({ status, body: { error } });
    expect(await storedIntegrations()).toEqual([]);
  });

  it.each(['Negotiate', 'Bearer realm="nowhere"', 'Bearer realm="file:///etc/passwd"', ''])(
    'does not receive the password if its challenge is %j',
    async (challenge) => {
      registry = await startFakeRegistry('basic');
      registry.intercept = (_, response) => {
        response.writeHead(401, { 'www-authenticate': challenge }).end();
        return true;
      };
      const { host } = registry;
      const response = await connect('registry', { host, username: 'ada', password: PASSWORD });
      expect(response).toMatchObject({ status: 422, body: { error: 'no-registry' } });
      expect(registry.requests).toEqual([{ path: '/v2/', authorization: undefined }]);
    },
  );

  it('that is unreachable is refused with 502', async () => {
    registry = await startFakeRegistry('basic');
    await registry.close();
    const { host } = registry;
    const response = await connect('registry', { host, username: 'ada', password: PASSWORD });
    expect(response).toMatchObject({ status: 502, body: { error: 'unreachable' } });
    registry = await startFakeRegistry('basic');
  });

  it('is stored as Docker Hub if the host is an alias of Docker Hub', async () => {
    registry = await startFakeRegistry('basic');
    const login = { host: 'index.docker.io', username: 'ada', password: PASSWORD };
    expect((await connect('registry', login)).body).toMatchObject({ provider: 'dockerhub' });
  });

  it.each(['', 'registry', 'exa mple.com', 'https://a.example/path', 'a@b.example'])(
    'is refused if its host is %j',
    async (host) => {
      registry = await startFakeRegistry('basic');
      const response = await connect('registry', { host, username: 'ada', password: PASSWORD });
      expect(response).toMatchObject({ status: 400, body: { error: 'invalid-host' } });
    },
  );
});
