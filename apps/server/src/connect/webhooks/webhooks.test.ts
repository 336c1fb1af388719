import { createHmac, randomUUID } from 'node:crypto';
import {
  type AppValues,
  chartNameOf,
  type Delivery,
  type Session,
  type Webhook,
} from '@longshore/contract';
import { type GitHost, startGitlabHost } from '@longshore/testkit/git-hosts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../../../test/backend.ts';
import { appValues } from '../../../test/values.ts';

const COMMIT = 'c'.repeat(40);
const REPOSITORY = 'group/app';

let backend: Backend;
let host: GitHost;
let ada: Session;
let eve: Session;
let integrationId: string;
let appId: string;

beforeAll(async () => {
  host = await startGitlabHost();
  const gitHosts = { gitlab: host.url, github: 'https://github.com' };
  backend = await startBackend({ connect: { allowLocalSources: true, gitHosts } });
  [ada, eve] = [await backend.signUp(), await backend.signUp()];
  host.state.addRepository({ fullName: REPOSITORY, members: ['ada'] });
  const token = host.state.issueToken('ada');
  const account = { provider: 'gitlab', token };
  const { body } = await backend.post('/v1/connect/auth/token', account, bearer(ada));
  integrationId = String(body.id);
});
beforeEach(async () => {
  host.intercept = undefined;
  host.state.hooks.length = 0;
  appId = await createApp();
});
afterAll(async () => {
  await host.close();
  await stopWithoutErrors(backend);
});

async function createApp(source: Partial<AppValues['source']> = {}): Promise<string> {
  const values = appValues(randomUUID());
  const url = `${host.url}/${REPOSITORY}.git`;
  const desired = { ...values, source: { ...values.source, url, ...source } };
  const { id } = await backend.db
    .insertInto('public.resources')
    .values({
      user_id: ada.user.id,
      chart_name: chartNameOf('app'),
      chart_version: '0.0',
      values: JSON.stringify(desired),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const setWebhook = (enabled: boolean, id = appId, as = ada) =>
  backend.post<Webhook>(`/v1/connect/apps/${id}/webhook`, { enabled }, bearer(as));
const get = <T>(path: string, as = ada) =>
  backend.request<T>(`/v1/connect/apps/${appId}${path}`, { headers: bearer(as) });

function pushBody(change: object = {}): string {
  const repository = { clone_url: `${host.url}/${REPOSITORY}.git`, default_branch: 'main' };
  return JSON.stringify({ ref: 'refs/heads/main', after: COMMIT, repository, ...change });
}

async function deliver(
  { url, secret }: Webhook,
  body: string,
  change: Record<string, string> = {},
) {
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  return await backend.post(new URL(url).pathname, body, {
    'x-github-event': 'push',
    'x-hub-signature-256': `sha256=${signature}`,
    ...change,
  });
}

async function generation(): Promise<number> {
  const row = await backend.db
    .selectFrom('public.resources')
    .select('generation')
    .where('id', '=', appId)
    .executeTakeFirstOrThrow();
  return Number(row.generation);
}

async function listDeliveries(): Promise<Delivery[]> {
  return (await get<{ deliveries: Delivery[] }>('/deliveries')).body.deliveries;
}

it('deploys nothing while the owner of the app is disabled', async () => {
  const { body: webhook } = await setWebhook(true);
  const setDisabled = (disabled: boolean) =>
    backend.db.updateTable('auth.users').set({ disabled }).where('id', '=', ada.user.id).execute();
  await setDisabled(true);
  const refused = { outcome: 'refused', reason: 'The account that owns the app is disabled' };
  expect((await deliver(webhook, pushBody())).body).toEqual(refused);
  await setDisabled(false);
  await setWebhook(false);
});

describe('an enabled webhook', () => {
  it('has a stable URL and secret for manual registration until it is disabled', async () => {
    expect((await get('/webhook')).body).toEqual({ state: 'off', url: '', secret: '' });
    const { body } = await setWebhook(true);
    expect(body).toEqual({
      state: 'manual',
      url: expect.stringMatching(/^http:\/\/localhost:1337\/v1\/connect\/hooks\/[0-9a-f-]{36}$/),
      secret: expect.stringMatching(/^whsec_.{44}$/),
    });
    expect((await setWebhook(true)).body).toEqual(body);
    expect((await get('/webhook')).body).toEqual(body);
    expect((await setWebhook(false)).body).toMatchObject({ state: 'off' });
    expect((await deliver(body, pushBody())).status).toBe(404);
    expect((await setWebhook(true)).body.secret).not.toBe(body.secret);
  });

  it('is registered at the provider once, and removed there', async () => {
    appId = await createApp({ secretName: integrationId });
    const webhooks = await Promise.all([setWebhook(true), setWebhook(true)]);
    const [{ body }] = webhooks;
    expect(body.state).toBe('registered');
    expect(host.state.hooks).toEqual([
      { id: expect.any(Number), repository: REPOSITORY, url: body.url, secret: body.secret },
    ]);
    await setWebhook(false);
    expect(host.state.hooks).toEqual([]);
  });

  it('is manual, with the reason, if the provider refuses it', async () => {
    appId = await createApp({ secretName: integrationId });
    host.intercept = ({ segments }) =>
      segments.includes('hooks')
        ? { status: 422, body: { message: 'Invalid url given' } }
        : undefined;
    const { body } = await setWebhook(true);
    expect(body).toMatchObject({
      state: 'manual',
      note: 'The provider refused the request. (Invalid url given)',
    });
    host.intercept = undefined;
    expect((await setWebhook(true)).body.state).toBe('registered');
  });

  it('is registered again when its app was deleted and restored', async () => {
    appId = await createApp({ secretName: integrationId });
    await setWebhook(true);
    for (const deleted of [true, false]) {
      await backend.db
        .updateTable('public.resources')
        .set({ deleted })
        .where('id', '=', appId)
        .execute();
    }
    const { body } = await setWebhook(true);
    expect(body.state).toBe('registered');
    expect(host.state.hooks).toMatchObject([{ url: body.url, secret: body.secret }]);
  });

  it('is removed at the provider with its app', async () => {
    appId = await createApp({ secretName: integrationId });
    await setWebhook(true);
    await backend.db
      .updateTable('public.resources')
      .set({ deleted: true })
      .where('id', '=', appId)
      .execute();
    await backend.connect.tidy();
    expect(host.state.hooks).toEqual([]);
    expect(
      await backend.db
        .selectFrom('connect.hooks')
        .where('app_id', '=', appId)
        .selectAll()
        .execute(),
    ).toEqual([]);
  });
});

describe('a delivery', () => {
  it('redeploys the app', async () => {
    const { body: webhook } = await setWebhook(true);
    const before = await generation();
    const details = {
      pusher: { name: 'ada' },
      head_commit: { message: 'Fix the mast\n\nIt broke' },
    };
    const { status, body } = await deliver(webhook, pushBody(details));
    const decision = { outcome: 'deployed', reason: 'Commit cccccccccccc was pushed to main' };
    expect([status, body]).toEqual([202, decision]);
    expect(await generation()).toBe(before + 1);
    const row = await backend.db
      .selectFrom('public.resources')
      .select('cause')
      .where('id', '=', appId)
      .executeTakeFirst();
    const by = { by: 'ada', subject: 'Fix the mast' };
    expect(row?.cause).toEqual({ kind: 'push', ref: 'main', commit: COMMIT, ...by });
    expect(await listDeliveries()).toEqual([
      {
        id: expect.any(String),
        at: expect.any(String),
        event: 'push',
        ref: 'refs/heads/main',
        commit: COMMIT,
        isReplay: false,
        ...decision,
      },
    ]);
  });

  it('to another branch is stored and ignored, and so is a ping', async () => {
    const { body: webhook } = await setWebhook(true);
    const before = await generation();
    await deliver(webhook, pushBody({ ref: 'refs/heads/next' }));
    await deliver(webhook, '{"zen":"Keep it logically awesome."}', { 'x-github-event': 'ping' });
    expect(await generation()).toBe(before);
    expect((await listDeliveries()).map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['ignored', 'Only push events deploy the app; this is a "ping" event'],
      ['ignored', 'The push is to next; the app is deployed from main'],
    ]);
  });

  it('is ignored if it changes no watched file, and deployed in a replay with other watch paths', async () => {
    const url = `${host.url}/${REPOSITORY}.git`;
    const values = appValues(randomUUID());
    const watching = async (watchPaths: string[]) => {
      const changed = { ...values, source: { ...values.source, url }, watchPaths };
      await backend.db
        .updateTable('public.resources')
        .set({ values: JSON.stringify(changed) })
        .where('id', '=', appId)
        .execute();
    };
    await watching(['apps/web/**']);
    const { body: webhook } = await setWebhook(true);
    const before = await generation();
    const commits = [{ added: ['docs/a.md'], modified: [], removed: [] }];
    const changes = { before: 'b'.repeat(40), forced: false, commits };
    const ignored = {
      outcome: 'ignored',
      reason: 'No changed file matches the setting Watch paths',
    };
    expect((await deliver(webhook, pushBody(changes))).body).toEqual(ignored);
    const [delivery] = await listDeliveries();
    const path = `/v1/connect/apps/${appId}/deliveries/${delivery?.id}/replay`;
    const replay = async () => (await backend.post(path, {}, bearer(ada))).body;
    expect(await replay()).toMatchObject(ignored);
    expect(await generation()).toBe(before);
    await watching(['docs']);
    expect(await replay()).toMatchObject({ outcome: 'deployed' });
    expect(await generation()).toBe(before + 1);
    expect(JSON.stringify(await listDeliveries())).not.toContain('docs/a.md');
  });

  it('whose commit message says so is ignored', async () => {
    const { body: webhook } = await setWebhook(true);
    const before = await generation();
    const head = { head_commit: { message: 'Fix a typo [skip deploy]' } };
    expect((await deliver(webhook, pushBody(head))).body).toEqual({
      outcome: 'ignored',
      reason: 'The message of commit cccccccccccc contains [skip deploy]',
    });
    expect(await generation()).toBe(before);
  });

  it('that arrives twice at the same time deploys once', async () => {
    const { body: webhook } = await setWebhook(true);
    const before = await generation();
    const responses = await Promise.all([
      deliver(webhook, pushBody(), { 'x-github-delivery': 'a' }),
      deliver(webhook, pushBody(), { 'x-github-delivery': 'b' }),
    ]);
    expect(responses.map(({ body }) => body.outcome).sort()).toEqual(['deployed', 'refused']);
    expect(await generation()).toBe(before + 1);
  });

  it('to an app that was rolled back is ignored with the reason, also when it is replayed', async () => {
    const { body: webhook } = await setWebhook(true);
    const values = appValues(randomUUID());
    const url = `${host.url}/${REPOSITORY}.git`;
    await backend.db
      .updateTable('public.resources')
      .set({
        values: JSON.stringify({
          ...values,
          source: { ...values.source, url, ref: 'b'.repeat(40) },
        }),
        pin: JSON.stringify({ release: 2, follows: 'main' }),
      })
      .where('id', '=', appId)
      .execute();
    const before = await generation();
    const paused = {
      outcome: 'ignored',
      reason:
        'Push to deploy is paused: rolled back to release 2 (commit bbbbbbb). Newer commits wait.',
    };
    expect((await deliver(webhook, pushBody())).body).toEqual(paused);
    const [delivery] = await listDeliveries();
    const path = `/v1/connect/apps/${appId}/deliveries/${delivery?.id}/replay`;
    expect((await backend.post(path, {}, bearer(ada))).body).toMatchObject(paused);
    expect(await generation()).toBe(before);
  });

  it('of the deployed commit is ignored, unless it is replayed', async () => {
    const { body: webhook } = await setWebhook(true);
    await backend.db
      .insertInto('deploy.releases')
      .values({
        app_id: appId,
        number: 1,
        generation: 1,
        wish: 'wish',
        outcome: 'live',
        made_of: '{}',
        env: '{}',
        from_release: null,
        revision: COMMIT,
      })
      .execute();
    const before = await generation();
    await deliver(webhook, pushBody());
    expect(await generation()).toBe(before);
    const [delivery] = await listDeliveries();
    const path = `/v1/connect/apps/${appId}/deliveries/${delivery?.id}/replay`;
    expect((await backend.post(path, {}, bearer(ada))).body).toMatchObject({
      outcome: 'deployed',
      isReplay: true,
    });
    expect(await generation()).toBe(before + 1);
    expect(await listDeliveries()).toHaveLength(2);
  });

  it.each<[string, (webhook: Webhook) => Promise<{ status: number; body: unknown }>]>([
    ['an unknown hook', (it) => deliver({ ...it, url: withOtherId(it.url) }, pushBody())],
    ['an invalid hook id', (it) => deliver({ ...it, url: `${it.url}x` }, pushBody())],
    ['another secret', (it) => deliver({ ...it, secret: 'whsec_other' }, pushBody())],
    ['no signature', (it) => backend.post(new URL(it.url).pathname, pushBody())],
    [
      'a changed body',
      (it) => deliver(it, pushBody(), { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }),
    ],
    ['unsigned invalid JSON', (it) => backend.post(new URL(it.url).pathname, 'push!')],
  ])('with %s gets the response of an unknown path', async (_, send) => {
    const { body: webhook } = await setWebhook(true);
    const before = await generation();
    const { status, body } = await send(webhook);
    const unknownPath = await backend.post('/v1/connect/nothing', {});
    expect([status, body]).toEqual([unknownPath.status, unknownPath.body]);
    expect(await generation()).toBe(before);
  });

  it('with an invalid signature is stored and displaces no signed delivery', async () => {
    const { body: webhook } = await setWebhook(true);
    await deliver(webhook, pushBody());
    for (let count = 0; count < 25; count += 1) {
      await deliver({ ...webhook, secret: 'other' }, pushBody());
    }
    const outcomes = (await listDeliveries()).map(({ outcome }) => outcome);
    expect(outcomes).toEqual([...Array(20).fill('refused'), 'deployed']);
  });

  it('that is too large is refused for known and unknown hooks', async () => {
    const { body: webhook } = await setWebhook(true);
    const large = pushBody({ commits: 'x'.repeat(1_100_000) });
    const [known, unknown] = [webhook.url, withOtherId(webhook.url)].map((url) =>
      deliver({ ...webhook, url }, large, { 'content-length': String(large.length) }),
    );
    expect(await known).toMatchObject({ status: 413, body: (await unknown)?.body });
  });

  it.each(['\0', '\ud800'])(
    'with text that Postgres cannot store, %j, is ignored',
    async (unstorable) => {
      const { body: webhook } = await setWebhook(true);
      const { status, body } = await deliver(
        webhook,
        pushBody({ ref: `refs/heads/${unstorable}` }),
      );
      expect([status, body]).toEqual([
        202,
        { outcome: 'ignored', reason: 'The push could not be parsed' },
      ]);
    },
  );

  it('from GitLab is accepted with the secret as token', async () => {
    const { body: webhook } = await setWebhook(true);
    const project = { git_http_url: `${host.url}/${REPOSITORY}.git`, default_branch: 'main' };
    const body = JSON.stringify({ ref: 'refs/heads/main', after: COMMIT, project });
    const headers = { 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': webhook.secret };
    const path = new URL(webhook.url).pathname;
    expect((await backend.post(path, body, headers)).body.outcome).toBe('deployed');
  });
});

describe('another user', () => {
  it.each<[string, (path: string) => Promise<{ status: number; body: unknown }>]>([
    ['the webhook', () => get('/webhook', eve)],
    ['the deliveries', () => get('/deliveries', eve)],
    ['enabling it', () => setWebhook(true, appId, eve)],
    ['disabling it', () => setWebhook(false, appId, eve)],
    [
      'replaying',
      (delivery) =>
        backend.post(`/v1/connect/apps/${appId}/deliveries/${delivery}/replay`, {}, bearer(eve)),
    ],
  ])('gets no access to %s', async (_, send) => {
    const { body: webhook } = await setWebhook(true);
    await deliver(webhook, pushBody());
    const before = await generation();
    const [delivery] = await listDeliveries();
    expect(await send(delivery?.id ?? '')).toMatchObject({
      status: 404,
      body: { message: 'App not found' },
    });
    expect(await generation()).toBe(before);
    expect((await get('/webhook')).body).toEqual(webhook);
  });
});

it('requires an access token', async () => {
  const { status } = await backend.request(`/v1/connect/apps/${appId}/webhook`);
  expect(status).toBe(401);
});

it('does not replay a delivery of another app', async () => {
  const { body: webhook } = await setWebhook(true);
  await deliver(webhook, pushBody());
  const [delivery] = await listDeliveries();
  const otherAppId = await createApp();
  const path = `/v1/connect/apps/${otherAppId}/deliveries/${delivery?.id}/replay`;
  expect((await backend.post(path, {}, bearer(ada))).status).toBe(404);
});

it.each(['', '{}', '{"enabled":"yes"}', '[]', 'x'])('rejects the body %j', async (body) => {
  const path = `/v1/connect/apps/${appId}/webhook`;
  expect((await backend.post(path, body, bearer(ada))).status).toBe(400);
});

it('stores the secret of a hook encrypted', async () => {
  const { body: webhook } = await setWebhook(true);
  const { rows } = await backend.pool.query('select * from connect.secrets, connect.hooks');
  expect(JSON.stringify(rows)).not.toContain(webhook.secret);
  expect(rows.length).toBeGreaterThan(0);
});

function withOtherId(url: string): string {
  return url.replace(/[^/]+$/, randomUUID());
}
