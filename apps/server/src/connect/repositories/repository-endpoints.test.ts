import { randomUUID } from 'node:crypto';
import { connectPath, decodeRepositories, type Session } from '@longshore/contract';
import { eventually } from '@longshore/testkit';
import {
  type GitHost,
  startGiteaHost,
  startGithubHost,
  startGitlabHost,
} from '@longshore/testkit/git-hosts';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../../../test/backend.ts';
import { startHttpServer } from '../../http/server.ts';

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend({ connect: { allowLocalSources: true } });
});
afterAll(() => stopWithoutErrors(backend));

const FEATURE = 'feature/50%25 off#1?';

describe.each([
  ['gitlab', startGitlabHost, 'team/sub/app'],
  ['github', startGithubHost, 'team/app'],
  ['gitea', startGiteaHost, 'team/app'],
] as const)('%s', (provider, start, fullName) => {
  let host: GitHost;
  let ada: Session;
  let id: string;
  let token: string;

  beforeEach(async () => {
    host = await start();
    host.state.addRepository({
      fullName,
      members: ['ada'],
      branches: ['main', FEATURE],
      tags: ['release/1'],
      activeAt: '2026-02-01T00:00:00.000Z',
    });
    host.state.addRepository({ fullName: 'ada/old', members: ['ada'], description: 'A museum' });
    ada = await backend.signUp();
    token = host.state.issueToken('ada');
    id = await connect(ada);
    host.requests.length = 0;
  });
  afterEach(() => host.close());

  async function connect(session: Session): Promise<string> {
    const account = { provider, url: host.url, token };
    const { body } = await backend.post('/v1/connect/auth/token', account, bearer(session));
    return String(body.id);
  }

  const get = (path: string, session = ada) =>
    backend.request(`/v1/connect${path}`, { headers: bearer(session) });
  const repositories = (search = '') =>
    get(`${connectPath('repositories', { id })}?${new URLSearchParams({ search })}`);
  const validate = (body: unknown, session = ada) =>
    backend.post(`/v1/connect${connectPath('validateRepository', { id })}`, body, bearer(session));

  async function names(search = ''): Promise<string[] | undefined> {
    const { body } = await repositories(search);
    return decodeRepositories(body)?.repositories.map(({ full_name }) => full_name);
  }

  it('lists repositories, most recently active first', async () => {
    expect(await names()).toEqual([fullName, 'ada/old']);
    expect((await repositories()).body.isCut).toBe(false);
  });

  it('searches, with or without a cached list', async () => {
    for (const _ of ['not cached', 'cached']) {
      expect(await names('museum')).toEqual(['ada/old']);
      expect(await names('  TEAM ')).toEqual([fullName]);
      expect(await names('no match')).toEqual([]);
      await names();
    }
  });

  it('caches lists for half a minute', async () => {
    await Promise.all([names(), names(), names('old')]);
    const requestCount = host.requests.length;
    await names();
    await names('museum');
    expect(host.requests).toHaveLength(requestCount);
    host.state.addRepository({ fullName: 'ada/new', members: ['ada'] });
    backend.clock.ahead += 30_000;
    expect(await names()).toContain('ada/new');
  });

  it('does not use the cache of another token', async () => {
    await names();
    host.state.addRepository({ fullName: 'ada/new', members: ['ada'] });
    token = host.state.issueToken('ada');
    expect(await connect(ada)).toBe(id);
    expect(await names()).toContain('ada/new');
  });

  it('lists branches, tags and commits of names with slashes, encoded or not', async () => {
    const at = { id, repo: fullName, branch: FEATURE };
    const decodeSlashes = (path: string) => path.replaceAll('%2F', '/');
    for (const format of [String, decodeSlashes]) {
      expect((await get(format(connectPath('branches', at)))).body).toMatchObject({
        branches: [
          { name: 'main', isDefault: true },
          { name: FEATURE, isDefault: false },
        ],
        isCut: false,
      });
      expect((await get(format(connectPath('tags', at)))).body).toMatchObject({
        tags: [{ name: 'release/1' }],
      });
      expect((await get(format(connectPath('refs', at)))).body).toMatchObject({
        refs: [{ title: `Create ${FEATURE}` }],
      });
    }
  });

  it('validates a repository by its name', async () => {
    expect(await validate({ repo_name: ` ${fullName} ` })).toMatchObject({
      status: 200,
      body: { full_name: fullName, defaultBranch: 'main', isPrivate: true },
    });
    for (const name of ['team/none', '../../user', '7', 'a'.repeat(400)]) {
      expect(await validate({ repo_name: name })).toMatchObject({ status: 404 });
    }
    for (const body of [{}, { repo_name: 7 }, { repo_name: ' ' }, '{', { repo_name: '\u0000' }]) {
      expect(await validate(body)).toMatchObject({ status: 400 });
    }
  });

  it('responds with 404 for unknown names', async () => {
    const paths = [
      connectPath('branches', { id, repo: 'team/none' }),
      connectPath('tags', { id, repo: 'eve/secret' }),
      connectPath('refs', { id, repo: fullName, branch: 'none' }),
      connectPath('branches', { id, repo: '%' }),
    ];
    host.state.addRepository({ fullName: 'eve/secret', members: ['eve'] });
    for (const path of paths) expect(await get(path)).toMatchObject({ status: 404 });
  });

  it('denies other users access, even to cached results', async () => {
    const eve = await backend.signUp();
    await names();
    const at = { id, repo: fullName, branch: 'main' };
    const unknown = { ...at, id: randomUUID() };
    for (const name of ['repositories', 'branches', 'tags', 'refs'] as const) {
      const response = await get(connectPath(name, at), eve);
      expect(response).toMatchObject({ status: 404, body: { message: 'Integration not found' } });
      expect(response.body).toEqual((await get(connectPath(name, unknown), eve)).body);
      expect((await backend.request(`/v1/connect${connectPath(name, at)}`)).status).toBe(401);
    }
    expect((await validate({ repo_name: fullName }, eve)).status).toBe(404);
  });

  it('reports when to retry, and sends no requests until then', async () => {
    const resetAt = new Date(Math.ceil(backend.clock.now() / 1_000) * 1_000 + 40_000);
    host.rateLimit = { remaining: 0, resetAt };
    const limited = await repositories();
    expect(limited).toMatchObject({
      status: 429,
      body: { error: 'rate-limited', retryAt: resetAt.toISOString() },
    });
    expect(limited.headers.get('retry-after')).toBe(resetAt.toUTCString());
    const requestCount = host.requests.length;
    host.rateLimit = undefined;
    expect((await validate({ repo_name: fullName })).status).toBe(429);
    expect(host.requests).toHaveLength(requestCount);
    backend.clock.ahead += 41_000;
    expect(await names()).toHaveLength(2);
  });

  it('responds with reconnect-needed when the provider rejects the token', async () => {
    host.state.revokeToken(token);
    expect(await repositories()).toMatchObject({
      status: 409,
      body: { error: 'reconnect-needed' },
    });
    const row = backend.db.selectFrom('public.resources').select('values').where('id', '=', id);
    expect((await row.executeTakeFirst())?.values).toMatchObject({ state: 'reconnect' });
  });

  it('does not use cached results to decide that a token is valid again', async () => {
    await names();
    host.state.revokeToken(token);
    expect((await validate({ repo_name: fullName })).status).toBe(409);
    expect((await repositories()).status).toBe(409);
  });

  it('limits concurrent requests per user', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    host.intercept = () => released;
    const tags = (n: number) => get(connectPath('tags', { id, repo: `team/${n}` }));
    const held = Array.from({ length: 8 }, (_, n) => tags(n));
    await eventually(() => host.requests.length === 8, 'the eighth request');
    expect(await tags(8)).toMatchObject({ status: 429, body: { error: 'too-many-requests' } });
    release(undefined);
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual(Array(8).fill(404));
    expect(await names()).toHaveLength(2);
  });

  it.each([
    ['responds with an HTML page', { body: '<html>', headers: { 'content-type': 'text/html' } }],
    ['responds with an object instead of a list', { body: { message: 'hello' } }],
    ['responds with 503', { status: 503, body: '' }],
    [
      'redirects to an unsupported protocol',
      { status: 302, headers: { location: 'ftp://example.com' } },
    ],
  ])('reports a provider that %s', async (_case, response) => {
    host.intercept = () => response;
    const { status, body } = await repositories();
    expect(status === 502 || status === 400).toBe(true);
    expect(body).toMatchObject({ status, message: expect.any(String) });
  });

  it('skips invalid repositories', async () => {
    const invalidRepositories = [
      null,
      7,
      {},
      { id: {}, full_name: 'a/b' },
      { clone_url: 'javascript:1' },
    ];
    host.intercept = ({ segments }) =>
      ['projects', 'repos'].includes(segments.at(-1) ?? '')
        ? { body: invalidRepositories }
        : undefined;
    expect(await names()).toEqual([]);
  });
});

it('responds to any request without an internal error', async () => {
  const host = await startGithubHost();
  const ada = await backend.signUp();
  const account = { provider: 'github', url: host.url, token: host.state.issueToken('ada') };
  const { body } = await backend.post('/v1/connect/auth/token', account, bearer(ada));
  const unusualName = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('%', '%2F', '%00', '..', '/', 'a/b', '__proto__', 'x'.repeat(3_000)),
  );
  const encoded = unusualName.map(encodeURIComponent);
  const part = fc.oneof(encoded, fc.constantFrom('%', '%zz', '%ff', '%2e%2e', 'a/b', '%00'));
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.constant(String(body.id)), part),
      fc.constantFrom('repositories', 'branches', 'tags', 'refs'),
      fc.array(part, { minLength: 1, maxLength: 3 }),
      async (id, kind, [repo = 'a', branch = 'b', search = 'c']) => {
        const paths: Record<string, string> = {
          repositories: `?search=${search}`,
          branches: `/${repo}/branches`,
          tags: `/${repo}/tags`,
          refs: `/${repo}/branches/${branch}/refs`,
        };
        const path = `/v1/connect/integrations/${id}/repositories${paths[kind]}`;
        const { status } = await backend.request(path, { headers: bearer(ada) });
        expect([200, 400, 404]).toContain(status);
      },
    ),
    { numRuns: 300 },
  );
  await host.close();
});

it('accepts names with slashes through the real HTTP server', async () => {
  const host = await startGitlabHost();
  const publicUrl = 'http://localhost:1337';
  const server = await startHttpServer({
    app: backend.app,
    host: '127.0.0.1',
    port: 0,
    publicUrl,
    allowedOrigins: [],
    upgrades: {},
  });
  const repo = 'team/sub/app';
  host.state.addRepository({ fullName: repo, members: ['ada'], branches: ['main', FEATURE] });
  const ada = await backend.signUp();
  const account = { provider: 'gitlab', url: host.url, token: host.state.issueToken('ada') };
  const { body } = await backend.post('/v1/connect/auth/token', account, bearer(ada));
  const path = connectPath('refs', { id: String(body.id), repo, branch: FEATURE });
  const url = `http://127.0.0.1:${server.port}/v1/connect${path}`;
  const response = await fetch(url, { headers: bearer(ada) });
  expect(await response.json()).toMatchObject({ refs: [{ title: `Create ${FEATURE}` }] });
  await server.stop();
  await host.close();
});

it('responds with 400 for an integration with a registry', async () => {
  const ada = await backend.signUp();
  const values = { provider: 'dockerhub', type: 'docker', account_name: 'ada' };
  const { id } = await backend.db
    .insertInto('public.resources')
    .values({
      user_id: ada.user.id,
      chart_name: 'credential',
      chart_version: '0.0',
      values: JSON.stringify(values),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const path = `/v1/connect${connectPath('repositories', { id })}`;
  expect(await backend.request(path, { headers: bearer(ada) })).toMatchObject({
    status: 400,
    body: { error: 'no-repositories' },
  });
});
