import { randomUUID } from 'node:crypto';
import {
  type AppDomains,
  autoDomain,
  chartNameOf,
  type DomainStatus,
  type Session,
} from '@longshore/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../../test/backend.ts';
import { PUBLIC_IP } from '../../test/domains.ts';
import { appValues, VARIABLES } from '../../test/values.ts';
import { createReconcilerStore } from '../apps/reconciler-store.ts';
import { OFF } from '../certificates/certificate-status.ts';

const DAY_MS = 86_400_000;
const RETRY = '/v1/domains/retry-certificate';

let backend: Backend;
let ada: Session;
let eve: Session;

beforeAll(async () => {
  backend = await startBackend();
  [ada, eve] = [await backend.signUp(), await backend.signUp()];
});
afterAll(() => stopWithoutErrors(backend));

type App = { projectId: string; appId: string };

const newDomain = () => `${randomUUID()}.example.com`;
const rowOf = ({ appId }: App) =>
  backend.db.updateTable('public.resources').where('id', '=', appId);

function valuesWith(projectId: string, domains: string[], change = {}): string {
  const publicAccess = { enabled: true, domain: 'auto', baseDomain: '', domains, ...change };
  return JSON.stringify({ ...appValues(projectId), publicAccess });
}

async function makeApp({ user }: Session, ...domains: string[]): Promise<App> {
  const projectId = randomUUID();
  const { id } = await backend.db
    .insertInto('public.resources')
    .values({
      user_id: user.id,
      chart_name: chartNameOf('app'),
      chart_version: '0.0',
      values: valuesWith(projectId, domains),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { projectId, appId: id };
}

async function list(app: unknown, session = ada) {
  return await backend.post<AppDomains>('/v1/domains', app, bearer(session));
}

async function check(app: App, domain: string, session = ada) {
  return await backend.post<AppDomains>('/v1/domains/check', { ...app, domain }, bearer(session));
}

async function checked(app: App, domain: string, session = ada): Promise<DomainStatus> {
  const { status, body } = await check(app, domain, session);
  expect(status).toBe(200);
  const found = body.domains.find((each) => each.domain === domain);
  if (found === undefined) throw new Error(`${domain} is not listed`);
  return found;
}

const tokenOf = async (app: App, session = ada) => (await list(app, session)).body.token;
async function routedTo({ appId }: App): Promise<string[] | undefined> {
  const store = createReconcilerStore({ db: backend.db, variables: VARIABLES });
  return (await store.app(appId))?.routedDomains.toSorted();
}
const hostOf = ({ appId }: App) => autoDomain({ id: appId, name: 'hello' }, 'localhost');
const aliasTo = (app: App) => ({ cname: { targets: [hostOf(app)], isComplete: true } });

describe('the certificate of a domain', () => {
  const valid = { ...OFF, state: 'valid', validUntil: '2099-01-01T00:00:00.000Z' } as const;
  const retry = (app: App, domain: string, session = ada) =>
    backend.post<{ message: string }>(RETRY, { ...app, domain }, bearer(session));

  it('is shown to the account that proved it, and to no other', async () => {
    const domain = newDomain();
    const [own, eves] = [await makeApp(ada, domain), await makeApp(eve, domain)];
    backend.domains.certificateStatuses.set(domain, valid);
    expect(await checked(own, domain)).not.toHaveProperty('certificate');
    backend.domains.dns.set(domain, { txt: [await tokenOf(own)] });
    expect(await checked(own, domain)).toMatchObject({
      certificate: { state: 'valid', validUntil: valid.validUntil },
    });
    expect((await list(eves, eve)).body.domains[0]).not.toHaveProperty('certificate');
    expect((await list(own)).body.generatedCertificate).toEqual({ state: 'off' });
  });

  it('counts for the secure hosts of a project if its app serves the domain', async () => {
    const [domain, other] = [newDomain(), newDomain()];
    const own = await makeApp(ada, domain, other);
    const secureHosts = async (session: Session) => {
      const path = '/v1/domains/secure-hosts';
      const { projectId } = own;
      return (await backend.post<object>(path, { projectId }, bearer(session))).body;
    };
    for (const host of [domain, other, hostOf(own)]) {
      backend.domains.certificateStatuses.set(host, valid);
    }
    expect(await secureHosts(ada)).toEqual({ hosts: [hostOf(own)] });
    backend.domains.dns.set(domain, { txt: [await tokenOf(own)] });
    await backend.domains.check(domain);
    expect(await secureHosts(ada)).toEqual({ hosts: [domain, hostOf(own)] });
    expect(await secureHosts(eve)).toEqual({ hosts: [] });
  });

  it('is tried again for the app that serves the domain, some times per hour', async () => {
    const domain = newDomain();
    const [own, eves] = [await makeApp(ada, domain), await makeApp(eve, domain)];
    backend.domains.dns.set(domain, { txt: [await tokenOf(own)] });
    expect((await retry(own, domain)).status).toBe(409);
    await backend.domains.check(domain);
    expect((await retry(eves, domain, eve)).status).toBe(409);
    expect((await retry(own, 'other.example.com')).status).toBe(400);
    expect((await retry(own, domain, eve)).status).toBe(404);
    expect(backend.domains.retriedCertificates).not.toContain(domain);
    for (let tries = 0; tries < 4; tries += 1) expect((await retry(own, domain)).status).toBe(200);
    const limited = await retry(own, domain);
    expect(limited.status).toBe(429);
    expect(limited.body.message).toBe('Too many tries. Retry in 15 min');
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(60);
  });

  it('is tried again for the own generated host, when the authority allows it', async () => {
    const app = await makeApp(ada);
    const host = hostOf(app);
    await retry(app, host);
    expect((await retry(await makeApp(eve), host, eve)).status).toBe(400);
    expect(backend.domains.retriedCertificates.filter((domain) => domain === host)).toHaveLength(1);
    const nextTryAt = new Date(Date.now() + 4.9 * 3_600_000).toISOString();
    const failure = { code: 'rate-limited', detail: 'too many' } as const;
    backend.domains.certificateStatuses.set(host, { ...OFF, state: 'failed', failure, nextTryAt });
    const message = 'The certificate authority allows no further try yet. Retry in 5 h';
    expect(await retry(app, host)).toMatchObject({ status: 409, body: { message } });
  });
});

describe('a new domain', () => {
  it('is routed only once DNS proves it, and the owner sees what DNS answers', async () => {
    const domain = newDomain();
    const app = await makeApp(ada, domain);
    const { body } = await list(app);
    expect(body).toMatchObject({ generatedHost: hostOf(app), isAddressEnough: false });
    expect(body.domains).toMatchObject([{ domain, state: 'unproved', answers: {} }]);
    expect(body.domains[0]?.checkedAt).toBeUndefined();

    backend.domains.dns.set(domain, { addresses: [PUBLIC_IP], txt: ['wrong'] });
    expect(await checked(app, domain)).toMatchObject({
      state: 'unproved',
      answers: { txt: ['wrong'], cname: [], addresses: [PUBLIC_IP] },
      pointsHere: true,
      checkedAt: expect.stringMatching(/^\d{4}-/),
    });
    expect(await routedTo(app)).toEqual([]);

    backend.domains.dns.set(domain, { txt: [body.token] });
    expect(await checked(app, domain)).toMatchObject({ state: 'proved', proof: 'txt' });
    expect(await routedTo(app)).toEqual([domain]);
    expect(backend.domains.requestedPasses).toContain(app.appId);
  });

  it('is proved by a CNAME to its own app only', async () => {
    const domain = newDomain();
    const [app, other] = [await makeApp(ada, domain), await makeApp(ada)];
    backend.domains.dns.set(domain, aliasTo(other));
    expect(await checked(app, domain)).toMatchObject({ state: 'unproved' });
    backend.domains.dns.set(domain, aliasTo(app));
    expect(await checked(app, domain)).toMatchObject({ state: 'proved', proof: 'cname' });
  });

  it('is checked although its TXT records have characters that cannot be stored', async () => {
    const domain = newDomain();
    const app = await makeApp(ada, domain);
    backend.domains.dns.set(domain, { txt: ['a\0b', '\u001b[31m', await tokenOf(app)] });
    const { state, answers } = await checked(app, domain);
    expect(state).toBe('proved');
    expect(answers.txt?.slice(0, 2)).toEqual(['a\ufffdb', '\ufffd[31m']);
  });

  it('expires after 7 days, stays in the settings, and a check renews it', async () => {
    const domain = newDomain();
    const app = await makeApp(ada, domain);
    await backend.domains.check(domain);
    backend.domains.clock.ahead = 7 * DAY_MS;
    try {
      await backend.domains.check(domain);
      expect((await list(app)).body.domains).toMatchObject([{ domain, state: 'expired' }]);
      const due = await backend.domains.store.due(backend.domains.clock.now() + DAY_MS, 1_000);
      expect(due.map((each) => each.domain)).not.toContain(domain);
      expect(await checked(app, domain)).toMatchObject({ state: 'unproved' });
    } finally {
      backend.domains.clock.ahead = 0;
    }
  });
});

describe('a domain of two accounts', () => {
  it('goes to the account that proves it, at once, also if another one was first', async () => {
    const domain = newDomain();
    const [adas, eves] = [await makeApp(ada, domain), await makeApp(eve, domain)];
    backend.domains.dns.set(domain, aliasTo(eves));
    expect(await checked(eves, domain, eve)).toMatchObject({ state: 'proved' });
    expect(await checked(adas, domain)).toMatchObject({ state: 'taken' });

    backend.domains.dns.set(domain, { ...aliasTo(eves), txt: [await tokenOf(adas)] });
    expect(await checked(adas, domain)).toMatchObject({ state: 'proved', proof: 'txt' });
    const seen = (await list(eves, eve)).body;
    expect(seen.domains).toMatchObject([{ state: 'taken' }]);
    expect(JSON.stringify(seen)).not.toContain(adas.appId);
    expect([await routedTo(adas), await routedTo(eves)]).toEqual([[domain], []]);
    expect(backend.domains.requestedPasses).toEqual(
      expect.arrayContaining([adas.appId, eves.appId]),
    );
  });

  it('is routed to one app when both prove it at the same moment', async () => {
    const domain = newDomain();
    const apps = await Promise.all([ada, eve, ada, eve].map((owner) => makeApp(owner, domain)));
    const tokens = [await tokenOf(apps[0] as App), await tokenOf(apps[1] as App, eve)];
    backend.domains.dns.set(domain, { txt: tokens });
    await Promise.all(apps.map((app, index) => check(app, domain, index % 2 === 0 ? ada : eve)));
    const routed = await Promise.all(apps.map(routedTo));
    expect(routed.flat()).toEqual([domain]);
  });

  it('ignores a slow check that started before another one', async () => {
    const domain = newDomain();
    const app = await makeApp(ada, domain);
    backend.domains.dns.set(domain, aliasTo(app));
    await checked(app, domain);
    const decide = () => {
      throw new Error('must not decide');
    };
    const before = Date.now() - 60_000;
    expect(await backend.domains.store.settle(domain, before, decide)).toEqual([]);
  });
});

describe('a proved domain', () => {
  async function provedApp(): Promise<{ app: App; domain: string }> {
    const domain = newDomain();
    const app = await makeApp(ada, domain);
    backend.domains.dns.set(domain, { txt: [await tokenOf(app)] });
    await checked(app, domain);
    return { app, domain };
  }

  it('stays routed when no name server answers, and lapses 7 days after its record is gone', async () => {
    const { app, domain } = await provedApp();
    backend.domains.dns.set(domain, {
      txt: undefined,
      addresses: undefined,
      cname: { targets: [], isComplete: false },
    });
    backend.domains.clock.ahead = 20 * DAY_MS;
    try {
      await backend.domains.check(domain);
      expect((await list(app)).body.domains).toMatchObject([{ state: 'proved' }]);
      backend.domains.dns.delete(domain);
      await backend.domains.check(domain);
      expect((await list(app)).body.domains).toMatchObject([{ state: 'lapsing' }]);
      expect(await routedTo(app)).toEqual([domain]);
      backend.domains.clock.ahead = 21 * DAY_MS + 60_000;
      await backend.domains.check(domain);
      expect((await list(app)).body.domains).toMatchObject([{ state: 'unproved' }]);
      expect(await routedTo(app)).toEqual([]);
    } finally {
      backend.domains.clock.ahead = 0;
    }
  });

  it.each<[string, (app: App, domain: string) => object, boolean]>([
    [
      'is hibernated',
      ({ projectId }, domain) => ({
        values: sql`${valuesWith(projectId, [domain])}::jsonb || '{"instances": 0}'`,
      }),
      true,
    ],
    [
      'is not public any more',
      ({ projectId }, domain) => ({
        values: valuesWith(projectId, [domain], { enabled: false }),
      }),
      true,
    ],
    [
      'moves the domain to the specified setting',
      ({ projectId }, domain) => ({
        values: valuesWith(projectId, [], { domain }),
      }),
      true,
    ],
    [
      'is renamed',
      ({ projectId }, domain) => ({
        values: sql`${valuesWith(projectId, [domain])}::jsonb || '{"name": "renamed"}'`,
      }),
      true,
    ],
    ['removes the domain', ({ projectId }) => ({ values: valuesWith(projectId, []) }), false],
    ['is deleted', () => ({ deleted: true }), false],
  ])('when its app %s', async (_, change, isHeld) => {
    const { app, domain } = await provedApp();
    await rowOf(app).set(change(app, domain)).execute();
    expect(await routedTo(app)).toEqual(isHeld ? [domain] : []);
    const other = await makeApp(ada, domain);
    await backend.domains.check(domain);
    expect(await routedTo(other)).toEqual(isHeld ? [] : [domain]);
    if (isHeld) {
      const [status] = (await list(other)).body.domains;
      expect(status).toMatchObject({
        state: 'duplicate',
        app: expect.stringMatching(/hello|renamed/),
      });
    }
  });

  it('goes to the next claimant when its owner deletes the account', async () => {
    const domain = newDomain();
    const owner = await backend.signUp();
    const [first, next] = [await makeApp(owner, domain), await makeApp(ada, domain)];
    backend.domains.dns.set(domain, { txt: [await tokenOf(first, owner), await tokenOf(next)] });
    await checked(first, domain, owner);
    await backend.db.deleteFrom('auth.users').where('id', '=', owner.user.id).execute();
    const due = await backend.domains.store.due(Date.now() + 1_000, 1_000);
    expect(due.map((each) => each.domain)).toContain(domain);
    await backend.domains.check(domain);
    expect(await routedTo(next)).toEqual([domain]);
  });

  it('is forgotten with its last claim', async () => {
    const { app, domain } = await provedApp();
    await rowOf(app).set({ deleted: true }).execute();
    await backend.domains.check(domain);
    const checks = backend.db.selectFrom('deploy.domain_checks').selectAll();
    expect(await checks.where('domain', '=', domain).execute()).toEqual([]);
  });
});

it('claims no name that is too long for DNS, and accepts values of any form', async () => {
  const app = await makeApp(ada);
  for (const publicAccess of [
    { enabled: false, domain: 'x'.repeat(100_000) },
    { enabled: true, domain: 7, domains: 'www.example.com' },
    { enabled: true, domains: [null, 7, {}] },
    null,
  ]) {
    const values = JSON.stringify({ ...appValues(app.projectId), publicAccess });
    await rowOf(app).set({ values }).execute();
  }
  expect((await list(app)).status).toBe(200);
});

it('does not let the many due domains of one account crowd out those of others', async () => {
  const [greedy, other] = [await backend.signUp(), await backend.signUp()];
  await makeApp(greedy, ...Array.from({ length: 20 }, newDomain));
  const domain = newDomain();
  await makeApp(other, domain);
  const due = await backend.domains.store.due(Date.now() + 1_000, 5);
  expect(due.filter(({ ownerId }) => ownerId === greedy.user.id)).toHaveLength(5);
  expect(due).toContainEqual({ domain, ownerId: other.user.id });
});

describe('requests', () => {
  it('are answered for own apps and their domains only', async () => {
    const domain = newDomain();
    const app = await makeApp(ada, domain);
    expect(await list(app, eve)).toMatchObject({ status: 404, body: { message: 'App not found' } });
    expect((await check(app, domain, eve)).status).toBe(404);
    expect(await check(app, 'other.example.com')).toMatchObject({
      status: 400,
      body: { error: 'no-domain' },
    });
    expect((await list({ ...app, projectId: randomUUID() })).status).toBe(404);
    expect(await list({ appId: 7 })).toMatchObject({
      status: 400,
      body: { error: 'invalid-request' },
    });
    expect(await list('{')).toMatchObject({ status: 400, body: { error: 'invalid-request' } });
    expect((await backend.post('/v1/domains', app)).status).toBe(401);
    expect((await backend.post('/v1/domains/check', { ...app, domain })).status).toBe(401);
  });

  it('for checks are limited per account and domain', async () => {
    const [domain, other] = [newDomain(), newDomain()];
    const owner = await backend.signUp();
    const app = await makeApp(owner, domain, other);
    const statuses: number[] = [];
    for (let count = 0; count < 7; count += 1) {
      statuses.push((await check(app, domain, owner)).status);
    }
    expect(statuses).toEqual([...Array(6).fill(200), 429]);
    const refused = await check(app, domain, owner);
    expect(refused).toMatchObject({ status: 429, body: { error: 'too-many-requests' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await check(app, other, owner)).status).toBe(200);
  });

  it('return the same token for all apps of an account, and another one for others', async () => {
    const [first, second] = [await makeApp(ada), await makeApp(ada)];
    const tokens = await Promise.all([tokenOf(first), tokenOf(second), tokenOf(first)]);
    expect(new Set(tokens).size).toBe(1);
    expect(await tokenOf(await makeApp(eve), eve)).not.toBe(tokens[0]);
  });
});
