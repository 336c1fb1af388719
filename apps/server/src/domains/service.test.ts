import { randomUUID } from 'node:crypto';
import { chartNameOf, type DomainState, type Session } from '@longshore/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type Backend,
  bearer,
  PUBLIC_IP,
  startBackend,
  stopWithoutErrors,
} from '../../test/backend.ts';
import { appValues } from '../../test/values.ts';

let backend: Backend;
let ada: Session;
let eve: Session;

beforeAll(async () => {
  backend = await startBackend();
  [ada, eve] = [await backend.signUp(), await backend.signUp()];
});
afterAll(() => stopWithoutErrors(backend));

type App = { projectId: string; appId: string };

async function makeApp({ user }: Session, domain: string): Promise<App> {
  const projectId = randomUUID();
  const publicAccess = { enabled: true, domain, baseDomain: '' };
  const { id } = await backend.db
    .insertInto('public.resources')
    .values({
      user_id: user.id,
      chart_name: chartNameOf('app'),
      chart_version: '0.0',
      values: JSON.stringify({ ...appValues(projectId), publicAccess }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { projectId, appId: id };
}

async function check(app: unknown, session = ada) {
  const { status, body } = await backend.post('/v1/domains', app, bearer(session));
  return { status, ...(body as { state?: DomainState; addresses?: string[] }) };
}

/** A new domain with these addresses. */
function newDomain(...addresses: string[]): string {
  const domain = `${randomUUID()}.example.com`;
  backend.domains.set(domain, addresses);
  return domain;
}

it('verifies a domain once its DNS records point to this server', async () => {
  const domain = newDomain();
  const app = await makeApp(ada, domain);
  expect(await check(app)).toEqual({ status: 200, state: 'missing', addresses: [] });
  backend.domains.set(domain, ['198.51.100.1']);
  expect(await check(app)).toMatchObject({ state: 'elsewhere', addresses: ['198.51.100.1'] });
  backend.domains.set(domain, [PUBLIC_IP]);
  expect(await check(app)).toEqual({ status: 200, state: 'verified', addresses: [PUBLIC_IP] });
  expect(await check(app)).toMatchObject({ state: 'verified' });
});

it('assigns a domain to the app that was verified first, not to the one that was configured first', async () => {
  const domain = newDomain(PUBLIC_IP);
  const first = await makeApp(ada, domain);
  const second = await makeApp(eve, domain);
  expect(await check(second, eve)).toMatchObject({ state: 'verified' });
  expect(backend.requestedPasses).toEqual(expect.arrayContaining([first.appId, second.appId]));
  expect(await check(first)).toMatchObject({ state: 'taken' });
});

it('assigns a domain to one of several apps that are checked concurrently', async () => {
  const domain = newDomain(PUBLIC_IP);
  const apps = await Promise.all(Array.from({ length: 5 }, () => makeApp(ada, domain)));
  const states = (await Promise.all(apps.map((app) => check(app)))).map(({ state }) => state);
  expect(states.sort()).toEqual(['taken', 'taken', 'taken', 'taken', 'verified']);
});

it.each([
  ['is deleted', { deleted: true }],
  ['changes its domain', { values: JSON.stringify(appValues(randomUUID())) }],
])('assigns a domain to another app when its holder %s', async (_, change) => {
  const domain = newDomain(PUBLIC_IP);
  const before = await makeApp(eve, domain);
  await check(before, eve);
  const app = await makeApp(ada, domain);
  expect(await check(app)).toMatchObject({ state: 'taken' });
  const row = backend.db.updateTable('public.resources').where('id', '=', before.appId);
  await row.set(change).execute();
  expect(await check(app)).toMatchObject({ state: 'verified' });
});

it('releases a domain whose records point elsewhere', async () => {
  const domain = newDomain(PUBLIC_IP);
  const before = await makeApp(eve, domain);
  await check(before, eve);
  backend.domains.set(domain, ['198.51.100.1']);
  expect(await check(before, eve)).toMatchObject({ state: 'elsewhere' });
  backend.domains.set(domain, [PUBLIC_IP]);
  expect(await check(await makeApp(ada, domain))).toMatchObject({ state: 'verified' });
});

it('verifies a new domain of an app that changes its domain', async () => {
  const [oldDomain, otherDomain] = [newDomain(PUBLIC_IP), newDomain(PUBLIC_IP)];
  const app = await makeApp(ada, oldDomain);
  await check(app);
  const publicAccess = { enabled: true, domain: otherDomain, baseDomain: '' };
  const values = JSON.stringify({ ...appValues(app.projectId), publicAccess });
  const row = backend.db.updateTable('public.resources').where('id', '=', app.appId);
  await row.set({ values }).execute();
  expect(await check(app)).toMatchObject({ state: 'verified' });
});

it('checks only own apps with a custom domain', async () => {
  const app = await makeApp(ada, newDomain(PUBLIC_IP));
  expect(await check(app, eve)).toMatchObject({ status: 404, message: 'App not found' });
  expect(await check(await makeApp(ada, 'auto'))).toMatchObject({
    status: 400,
    error: 'no-domain',
  });
  expect(await check({ appId: 7 })).toMatchObject({ status: 400, error: 'invalid-request' });
  expect(await check('{')).toMatchObject({ status: 400, error: 'invalid-request' });
  expect((await backend.post('/v1/domains', app)).status).toBe(401);
});
