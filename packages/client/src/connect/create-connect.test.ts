import { createFakeAuth, createSimulatedClock } from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
import type { Fetch } from '../ports.ts';
import type { Connect } from './connect.ts';
import { createConnect } from './create-connect.ts';

const repository = {
  id: '1',
  name: 'app',
  full_name: 'group/app',
  description: '',
  url: 'https://gitlab.com/group/app.git',
  sshUrl: 'git@gitlab.com:group/app.git',
  defaultBranch: 'main',
  isPrivate: true,
  activeAt: null,
};
const account = { id: '7', provider: 'gitlab', account_name: 'ada' };
const webhook = { state: 'manual', url: 'https://here/hooks/1', secret: 's' };
const delivery = {
  id: '1',
  at: '2026-01-01T00:00:00Z',
  event: 'push',
  ref: null,
  commit: null,
  outcome: 'ignored',
  reason: 'Another branch',
  isReplay: false,
};
const at = { repository: 'group/sub/app', branch: 'feature/1' };

function prepare(fetch: Fetch, auth = createFakeAuth()) {
  const clock = createSimulatedClock();
  return { clock, connect: createConnect({ url: 'http://b/v1/connect', clock, fetch, auth }) };
}

/** Every call, the request it sends, and a valid response. */
const CALLS: [string, (connect: Connect) => Promise<unknown>, string, unknown, unknown][] = [
  [
    'oauthTicket',
    (it) => it.oauthTicket('gitlab'),
    'POST /oauth/tickets',
    { provider: 'gitlab' },
    { token: 't', url: '/u' },
  ],
  [
    'connectToken',
    (it) => it.connectToken({ provider: 'gitea', url: 'https://g', token: 't' }),
    'POST /auth/token',
    { provider: 'gitea', url: 'https://g', token: 't' },
    account,
  ],
  [
    'connectDockerHub',
    (it) => it.connectDockerHub({ username: 'ada', password: 'pw' }),
    'POST /auth/dockerhub',
    { username: 'ada', password: 'pw' },
    account,
  ],
  [
    'connectRegistry',
    (it) => it.connectRegistry({ host: 'r:5000', username: 'ada', password: 'pw' }),
    'POST /auth/registry',
    { host: 'r:5000', username: 'ada', password: 'pw' },
    account,
  ],
  [
    'validateRepository',
    (it) => it.validateRepository('7', 'group/app'),
    'POST /integrations/7/validate-repository',
    { repo_name: 'group/app' },
    repository,
  ],
  [
    'repositories',
    (it) => it.repositories('7', { search: 'a b&c' }),
    'GET /integrations/7/repositories?search=a+b%26c',
    undefined,
    { repositories: [repository], isCut: true },
  ],
  [
    'branches',
    (it) => it.branches('7', at.repository),
    'GET /integrations/7/repositories/group%2Fsub%2Fapp/branches',
    undefined,
    { branches: [{ name: 'main', isDefault: true, commit: 'c0ffee' }], isCut: false },
  ],
  [
    'tags',
    (it) => it.tags('7', at.repository),
    'GET /integrations/7/repositories/group%2Fsub%2Fapp/tags',
    undefined,
    { tags: [{ name: 'v1', commit: 'c0ffee' }], isCut: false },
  ],
  ['webhook', (it) => it.webhook('a'), 'GET /apps/a/webhook', undefined, webhook],
  [
    'switchWebhook',
    (it) => it.switchWebhook('a', false),
    'POST /apps/a/webhook',
    { enabled: false },
    webhook,
  ],
  [
    'replayDelivery',
    (it) => it.replayDelivery('a', '1'),
    'POST /apps/a/deliveries/1/replay',
    undefined,
    delivery,
  ],
  ['deployHook', (it) => it.deployHook('a'), 'GET /apps/a/deploy-hook', undefined, { url: null }],
  [
    'createDeployHook',
    (it) => it.createDeployHook('a'),
    'POST /apps/a/deploy-hook',
    undefined,
    { url: 'https://here/deploy-hooks/a?key=s' },
  ],
  [
    'removeDeployHook',
    (it) => it.removeDeployHook('a'),
    'DELETE /apps/a/deploy-hook',
    undefined,
    { url: null },
  ],
];

describe.each(CALLS)('%s', (_name, send, request, body, response) => {
  it('sends the request as the signed-in user, and returns the response', async () => {
    const sent: unknown[] = [];
    const { connect } = prepare(async (url, init) => {
      const { authorization } = Object.fromEntries(new Headers(init?.headers));
      const text = init?.body as string | undefined;
      sent.push([`${init?.method} ${url}`, authorization, text && JSON.parse(text)]);
      return Response.json(response);
    });
    expect(await send(connect)).toEqual({ ok: true, data: response });
    const path = request.replace(' ', ' http://b/v1/connect');
    expect(sent).toEqual([[path, 'Bearer token-1', body]]);
  });

  it.each([
    ['of an unexpected type', () => Response.json(['odd'])],
    ['that is not JSON', () => new Response('<html>')],
  ])('rejects a response %s', async (_, respond) => {
    const { connect } = prepare(async () => respond());
    expect(await send(connect)).toMatchObject({ ok: false, error: { error: 'invalid-response' } });
  });
});

it.each<[string, (connect: Connect) => Promise<unknown>, unknown]>([
  ['repositories', (it) => it.repositories('7'), { repositories: [], isCut: false }],
  ['branches', (it) => it.branches('7', 'a/b'), { branches: [], isCut: false }],
  ['refs', (it) => it.refs('7', at), []],
  ['tags', (it) => it.tags('7', 'a/b'), { tags: [], isCut: false }],
  ['deliveries', (it) => it.deliveries('a'), []],
  ['a deletion', (it) => it.deleteIntegration('7'), 'deleted'],
])('treats 204 of %s as empty', async (_name, send, data) => {
  const { connect } = prepare(async () => new Response(null, { status: 204 }));
  expect(await send(connect)).toEqual({ ok: true, data });
});

it('reads recent commits and deliveries', async () => {
  const refs = [{ commit: 'c0ffee', title: 'Begin', at: null }];
  const { connect } = prepare(async () => Response.json({ refs, deliveries: [delivery] }));
  expect(await connect.refs('7', at)).toEqual({ ok: true, data: refs });
  expect(await connect.deliveries('a')).toEqual({ ok: true, data: [delivery] });
});

it('deletes, with force if requested', async () => {
  const sent: string[] = [];
  const { connect } = prepare(async (url, init) => {
    sent.push(`${init?.method} ${url}`);
    return new Response(null, { status: 204 });
  });
  await connect.deleteIntegration('7');
  await connect.deleteIntegration('7', { isForced: true });
  expect(sent).toEqual([
    'DELETE http://b/v1/connect/integrations/7',
    'DELETE http://b/v1/connect/integrations/7?force=true',
  ]);
});

describe('a failure', () => {
  async function failure(response: Response) {
    return await prepare(async () => response).connect.deleteIntegration('7');
  }

  it('contains status and body, and the message of the server', async () => {
    const body = { status: 404, error: 'not-found', message: 'Integration not found' };
    expect(await failure(Response.json(body, { status: 404 }))).toEqual({
      ok: false,
      error: {
        status: 404,
        error: 'not-found',
        message: `API error (404): ${JSON.stringify(body)}`,
        serverMessage: 'Integration not found',
      },
    });
  });

  it('lists the apps that use the integration', async () => {
    const apps = [{ id: 'a', name: 'web', projectId: 'p' }];
    const body = { error: 'integration-in-use', message: 'In use', apps };
    expect(await failure(Response.json(body, { status: 409 }))).toMatchObject({ error: { apps } });
  });

  it('contains the time of the next retry', async () => {
    const body = { error: 'rate-limited', message: 'Wait', retryAt: '2026-01-01T00:00:00.000Z' };
    expect(await failure(Response.json(body, { status: 429 }))).toMatchObject({
      error: { status: 429, retryAt: '2026-01-01T00:00:00.000Z' },
    });
  });

  it.each(['Bad gateway', '[]', '{"message":7}', 'null'])(
    'from a proxy contains the unparsed body: %s',
    async (text) => {
      expect(await failure(new Response(text, { status: 502 }))).toEqual({
        ok: false,
        error: { status: 502, error: 'unknown', message: `API error (502): ${text}` },
      });
    },
  );
});

it('sends no request without a token', async () => {
  const auth = { ...createFakeAuth(), accessToken: async () => undefined };
  const { connect } = prepare(async () => {
    throw new Error('unexpected request');
  }, auth);
  expect(await connect.repositories('7')).toMatchObject({
    ok: false,
    error: { message: 'No access token available' },
  });
});

it('fails when aborted, on a timeout, and on a network error', async () => {
  const hangingFetch: Fetch = (_url, init) =>
    new Promise((_, reject) => {
      const rejectAborted = () => reject(new Error('aborted'));
      if (init?.signal?.aborted) rejectAborted();
      init?.signal?.addEventListener('abort', rejectAborted);
    });
  const controller = new AbortController();
  const abortedRequest = prepare(hangingFetch).connect.branches('7', 'a/b', {
    signal: controller.signal,
  });
  controller.abort();
  expect(await abortedRequest).toMatchObject({ error: { status: 0, error: 'abort-error' } });

  const { clock, connect } = prepare(hangingFetch);
  const timedOut = connect.tags('7', 'a/b');
  await clock.advance(60_000);
  expect(await timedOut).toMatchObject({ error: { status: 500, message: 'Network Error' } });

  const offline = prepare(async () => {
    throw new TypeError('fetch failed');
  });
  expect(await offline.connect.tags('7', 'a/b')).toMatchObject({
    error: { message: 'Network Error' },
  });
});
