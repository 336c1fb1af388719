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
  appId = await makeApp();
});
afterAll(async () => {
  await host.close();
  await stopWithoutErrors(backend);
});

async function makeApp(source: Partial<AppValues['source']> = {}): Promise<string> {
  const values = appValues(randomUUID());
  const url = `${host.url}/${REPOSITORY}.git`;
  const wished = { ...values, source: { ...values.source, url, ...source } };
  const { id } = await backend.db
    .insertInto('public.resources')
    .values({
      user_id: ada.user.id,
      chart_name: chartNameOf('app'),
      chart_version: '0.0',
      values: JSON.stringify(wished),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const setWebhook = (enabled: boolean, id = appId, as = ada) =>
  backend.post<Webhook>(`/v1/connect/apps/${id}/webhook`, { enabled }, bearer(as));
const ask = <T>(path: string, as = ada) =>
  backend.ask<T>(`/v1/connect/apps/${appId}${path}`, { headers: bearer(as) });

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

async function inbox(): Promise<Delivery[]> {
  return (await ask<{ deliveries: Delivery[] }>('/deliveries')).body.deliveries;
}

describe('turned on', () => {
  it('shows address and secret for use by hand, the same each time, until it is turned off', async () => {
    expect((await ask('/webhook')).body).toEqual({ state: 'off', url: '', secret: '' });
    const { body } = await setWebhook(true);
    expect(body).toEqual({
      state: 'manual',
      url: expect.stringMatching(/^http:\/\/localhost:1337\/v1\/connect\/hooks\/[0-9a-f-]{36}$/),
      secret: expect.stringMatching(/^whsec_.{44}$/),
    });
    expect((await setWebhook(true)).body).toEqual(body);
    expect((await ask('/webhook')).body).toEqual(body);
    expect((await setWebhook(false)).body).toMatchObject({ state: 'off' });
    expect((await deliver(body, pushBody())).status).toBe(404);
    expect((await setWebhook(true)).body.secret).not.toBe(body.secret);
  });

  it('tells the provider, once, and takes it back', async () => {
    appId = await makeApp({ secretName: integrationId });
    const webhooks = await Promise.all([setWebhook(true), setWebhook(true)]);
    const [{ body }] = webhooks;
    expect(body.state).toBe('registered');
    expect(host.state.hooks).toEqual([
      { id: expect.any(Number), repository: REPOSITORY, url: body.url, secret: body.secret },
    ]);
    await setWebhook(false);
    expect(host.state.hooks).toEqual([]);
  });

  it('is left to its owner where the provider refuses, and says why', async () => {
    appId = await makeApp({ secretName: integrationId });
    host.intercept = ({ steps }) =>
      steps.includes('hooks') ? { status: 422, body: { message: 'Invalid url given' } } : undefined;
    const { body } = await setWebhook(true);
    expect(body).toMatchObject({
      state: 'manual',
      note: 'The provider refused. (Invalid url given)',
    });
    host.intercept = undefined;
    expect((await setWebhook(true)).body.state).toBe('registered');
  });

  it('is told to the provider anew when its app was deleted and came back', async () => {
    appId = await makeApp({ secretName: integrationId });
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

  it('is taken back with its integration, and with its app', async () => {
    appId = await makeApp({ secretName: integrationId });
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
  it('deploys the app again', async () => {
    const { body: webhook } = await setWebhook(true);
    const before = await generation();
    const told = { pusher: { name: 'ada' }, head_commit: { message: 'Mend the mast\n\nIt broke' } };
    const { status, body } = await deliver(webhook, pushBody(told));
    const verdict = { outcome: 'deployed', reason: 'Commit cccccccccccc was pushed to main' };
    expect([status, body]).toEqual([202, verdict]);
    expect(await generation()).toBe(before + 1);
    const row = await backend.db
      .selectFrom('public.resources')
      .select('cause')
      .where('id', '=', appId)
      .executeTakeFirst();
    const by = { by: 'ada', subject: 'Mend the mast' };
    expect(row?.cause).toEqual({ kind: 'push', ref: 'main', commit: COMMIT, ...by });
    expect(await inbox()).toEqual([
      {
        id: expect.any(String),
        at: expect.any(String),
        event: 'push',
        ref: 'refs/heads/main',
        commit: COMMIT,
        isReplay: false,
        ...verdict,
      },
    ]);
  });

  it('of another branch, and a ping, deploys nothing and is in the inbox', async () => {
    const { body: webhook } = await setWebhook(true);
    const before = await generation();
    await deliver(webhook, pushBody({ ref: 'refs/heads/next' }));
    await deliver(webhook, '{"zen":"Keep it logically awesome."}', { 'x-github-event': 'ping' });
    expect(await generation()).toBe(before);
    expect((await inbox()).map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['ignored', 'Only pushes deploy, and this is "ping"'],
      ['ignored', 'It is a push to next, and the app follows main'],
    ]);
  });

  it('that comes twice deploys once, at the same moment too', async () => {
    const { body: webhook } = await setWebhook(true);
    const before = await generation();
    const answers = await Promise.all([
      deliver(webhook, pushBody(), { 'x-github-delivery': 'a' }),
      deliver(webhook, pushBody(), { 'x-github-delivery': 'b' }),
    ]);
    expect(answers.map(({ body }) => body.outcome).sort()).toEqual(['deployed', 'refused']);
    expect(await generation()).toBe(before + 1);
  });

  it('of the commit that serves already deploys nothing, unless it is sent again by hand', async () => {
    const { body: webhook } = await setWebhook(true);
    await backend.db
      .insertInto('deploy.releases')
      .values({
        ...{ app_id: appId, number: 1, generation: 1, wish: 'wish', outcome: 'live' },
        ...{ made_of: '{}', env: '{}', from_release: null, revision: COMMIT },
      })
      .execute();
    const before = await generation();
    await deliver(webhook, pushBody());
    expect(await generation()).toBe(before);
    const [delivery] = await inbox();
    const path = `/v1/connect/apps/${appId}/deliveries/${delivery?.id}/replay`;
    expect((await backend.post(path, {}, bearer(ada))).body).toMatchObject({
      outcome: 'deployed',
      isReplay: true,
    });
    expect(await generation()).toBe(before + 1);
    expect(await inbox()).toHaveLength(2);
  });

  it.each<[string, (webhook: Webhook) => Promise<{ status: number; body: unknown }>]>([
    ['a hook that is not there', (it) => deliver({ ...it, url: swapped(it.url) }, pushBody())],
    ['a hook that is no id', (it) => deliver({ ...it, url: `${it.url}x` }, pushBody())],
    ['another secret', (it) => deliver({ ...it, secret: 'whsec_other' }, pushBody())],
    ['no signature', (it) => backend.post(new URL(it.url).pathname, pushBody())],
    [
      'a changed body',
      (it) => deliver(it, pushBody(), { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }),
    ],
    ['what is no JSON, unsigned', (it) => backend.post(new URL(it.url).pathname, 'push!')],
  ])('with %s is answered as if nothing was there', async (_, send) => {
    const { body: webhook } = await setWebhook(true);
    const before = await generation();
    const { status, body } = await send(webhook);
    const nothing = await backend.post('/v1/connect/nothing', {});
    expect([status, body]).toEqual([nothing.status, nothing.body]);
    expect(await generation()).toBe(before);
  });

  it('that is forged is in the inbox, and drives out nothing', async () => {
    const { body: webhook } = await setWebhook(true);
    await deliver(webhook, pushBody());
    for (let count = 0; count < 25; count += 1) {
      await deliver({ ...webhook, secret: 'other' }, pushBody());
    }
    const outcomes = (await inbox()).map(({ outcome }) => outcome);
    expect(outcomes).toEqual([...Array(20).fill('refused'), 'deployed']);
  });

  it('that is too large is refused whatever it is for', async () => {
    const { body: webhook } = await setWebhook(true);
    const large = pushBody({ commits: 'x'.repeat(1_100_000) });
    const [known, unknown] = [webhook.url, swapped(webhook.url)].map((url) =>
      deliver({ ...webhook, url }, large, { 'content-length': String(large.length) }),
    );
    expect(await known).toMatchObject({ status: 413, body: (await unknown)?.body });
  });

  it.each(['\0', '\ud800'])(
    'that names what cannot be kept, %j, is no fault of ours',
    async (odd) => {
      const { body: webhook } = await setWebhook(true);
      const { status, body } = await deliver(webhook, pushBody({ ref: `refs/heads/${odd}` }));
      expect([status, body]).toEqual([
        202,
        { outcome: 'ignored', reason: 'The push could not be read' },
      ]);
    },
  );

  it('of GitLab is taken by its token', async () => {
    const { body: webhook } = await setWebhook(true);
    const project = { git_http_url: `${host.url}/${REPOSITORY}.git`, default_branch: 'main' };
    const body = JSON.stringify({ ref: 'refs/heads/main', after: COMMIT, project });
    const headers = { 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': webhook.secret };
    const path = new URL(webhook.url).pathname;
    expect((await backend.post(path, body, headers)).body.outcome).toBe('deployed');
  });
});

describe('somebody else', () => {
  it.each<[string, (path: string) => Promise<{ status: number; body: unknown }>]>([
    ['the webhook', () => ask('/webhook', eve)],
    ['the inbox', () => ask('/deliveries', eve)],
    ['turning it on', () => setWebhook(true, appId, eve)],
    ['turning it off', () => setWebhook(false, appId, eve)],
    [
      'replaying',
      (delivery) =>
        backend.post(`/v1/connect/apps/${appId}/deliveries/${delivery}/replay`, {}, bearer(eve)),
    ],
  ])('gets nothing of %s', async (_, send) => {
    const { body: webhook } = await setWebhook(true);
    await deliver(webhook, pushBody());
    const before = await generation();
    const [delivery] = await inbox();
    expect(await send(delivery?.id ?? '')).toMatchObject({
      status: 404,
      body: { message: 'App not found' },
    });
    expect(await generation()).toBe(before);
    expect((await ask('/webhook')).body).toEqual(webhook);
  });

  it('cannot have a delivery of one app judged for another', async () => {
    const { body: webhook } = await setWebhook(true);
    await deliver(webhook, pushBody());
    const [delivery] = await inbox();
    const other = await makeApp();
    const path = `/v1/connect/apps/${other}/deliveries/${delivery?.id}/replay`;
    expect((await backend.post(path, {}, bearer(ada))).status).toBe(404);
  });

  it('without a token is told so', async () => {
    const { status } = await backend.ask(`/v1/connect/apps/${appId}/webhook`);
    expect(status).toBe(401);
  });
});

it.each(['', '{}', '{"enabled":"yes"}', '[]', 'x'])('turning on takes no %j', async (wish) => {
  const path = `/v1/connect/apps/${appId}/webhook`;
  expect((await backend.post(path, wish, bearer(ada))).status).toBe(400);
});

it('keeps the secret of a hook sealed', async () => {
  const { body: webhook } = await setWebhook(true);
  const { rows } = await backend.pool.query('select * from connect.secrets, connect.hooks');
  expect(JSON.stringify(rows)).not.toContain(webhook.secret);
  expect(rows.length).toBeGreaterThan(0);
});

function swapped(url: string): string {
  return url.replace(/[^/]+$/, randomUUID());
}
