import { X509Certificate } from 'node:crypto';
import { autoDomain } from '@longshore/contract';
import { systemClock } from '@longshore/edge-contract';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type CertificatesBench,
  openCertificatesBench,
} from '../../test/certificates/certificates-bench.ts';
import {
  hasPebble,
  type Pebble,
  type PebbleOptions,
  preparePebble,
  startPebble,
} from '../../test/certificates/pebble.ts';
import { selfSigned } from '../../test/certificates/self-signed.ts';
import { startDnsServer } from '../../test/domains/dns-server.ts';
import { Secret } from '../secrets/secret.ts';
import type { AcmeSend } from './acme/signed-requests.ts';
import type { Certificates } from './certificates.ts';

const DOMAIN = 'www.longshore-shop.com';
const DAY_MS = 86_400_000;
const COMPILE_MS = 300_000;

let bench: CertificatesBench;
let pebble: Pebble;
const running: Certificates[] = [];

describe.skipIf(!hasPebble)('with Pebble', () => {
  beforeAll(preparePebble, COMPILE_MS);
  beforeEach(async () => {
    bench = await openCertificatesBench();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((server) => server.stop()));
    await pebble.stop();
    expect(bench.errors).toEqual([]);
    await bench.close();
  });

  async function startAuthority(options: Partial<PebbleOptions> = {}): Promise<void> {
    pebble = await startPebble({
      httpPort: bench.port,
      dnsServer: bench.dns.address,
      ...options,
    });
  }

  async function start(
    settings: Parameters<CertificatesBench['start']>[0] = {},
    options: Parameters<CertificatesBench['start']>[1] = {},
  ): Promise<Certificates> {
    const { directory, ca } = pebble;
    const server = await bench.start({ directory, ca, ...settings }, options);
    running.push(server);
    return server;
  }

  const served = (domain = DOMAIN) => bench.certificates.get(domain);
  const stateOf = (server: Certificates, domain = DOMAIN) => server.statusOf(domain).state;
  const failureOf = (server: Certificates, domain = DOMAIN) => server.statusOf(domain).failure;
  const orders = async () => (await bench.store.orders(Date.now())).length;

  it('gets certificates, also when half of the nonces are rejected', async () => {
    await startAuthority({ nonceRejections: 50 });
    const domains = [DOMAIN, 'api.longshore-shop.com', 'blog.longshore-shop.com'];
    for (const domain of domains) bench.addDomain(domain);
    const server = await start();
    for (const domain of domains) {
      await expect.poll(() => stateOf(server, domain)).toBe('valid');
      const { chain = '' } = served(domain) ?? {};
      const certificate = new X509Certificate(chain);
      expect(certificate.checkHost(domain)).toBe(domain);
      expect(chain.match(/BEGIN CERTIFICATE/g)?.length).toBeGreaterThan(1);
    }
    expect(await orders()).toBe(domains.length);
    expect(bench.challenges.size).toBe(0);
    const { rows } = await bench.pool.query(
      'select sealed_key, chain from deploy.certificates union all select sealed_key, null from deploy.acme_accounts',
    );
    expect(JSON.stringify(rows)).not.toContain('PRIVATE KEY');
  });

  it('serves stored certificates after a restart without an order', async () => {
    await startAuthority();
    bench.addDomain(DOMAIN);
    const first = await start();
    await expect.poll(() => stateOf(first)).toBe('valid');
    const before = served()?.chain;
    await first.stop();
    bench.certificates.clear();
    const next = await start();
    expect(served()?.chain).toBe(before);
    expect(stateOf(next)).toBe('valid');
    expect(await orders()).toBe(1);
  });

  it('orders again when the key of a certificate cannot be decrypted', async () => {
    await startAuthority();
    bench.addDomain(DOMAIN);
    const first = await start();
    await expect.poll(() => stateOf(first)).toBe('valid');
    const before = served()?.chain;
    await first.stop();
    bench.certificates.clear();
    await bench.pool.query(
      'update deploy.certificates set sealed_key = (select sealed_key from deploy.acme_accounts)',
    );
    const next = await start();
    expect(stateOf(next)).toBe('pending');
    await expect.poll(() => stateOf(next)).toBe('valid');
    expect(served()?.chain).not.toBe(before);
    expect(await orders()).toBe(2);
  });

  it("withdraws the operator's own certificate when it expires, and orders one", async () => {
    await startAuthority();
    bench.addDomain(DOMAIN);
    const clock = { ...systemClock, ahead: 0, now: () => Date.now() + clock.ahead };
    const { cert: chain, key } = await selfSigned([DOMAIN], { days: 1 });
    const names = [DOMAIN];
    const until = Date.now() + DAY_MS;
    const file = { id: 'file', names, chain, key: new Secret(key), until, version: '1' };
    const server = await start({}, { clock, file: () => file });
    expect(served('file')?.chain).toBe(chain);
    expect(server.statusOf(DOMAIN)).toMatchObject({ state: 'valid', renewsAt: undefined });
    expect(await orders()).toBe(0);
    clock.ahead = DAY_MS;
    server.request();
    await expect.poll(() => served('file')).toBeUndefined();
    await expect.poll(() => stateOf(server)).toBe('valid');
    expect(served()).toBeDefined();
    expect(server.warnings()).toMatchObject([{ kind: 'file' }]);
  });

  it('renews a short-lived certificate', async () => {
    await startAuthority({ validitySeconds: 20 });
    bench.addDomain(DOMAIN);
    const server = await start();
    await expect.poll(() => stateOf(server)).toBe('valid');
    const first = served()?.chain ?? '';
    await expect.poll(() => served()?.chain !== first && stateOf(server)).toBe('valid');
    const { validity } = (await bench.store.record(DOMAIN)) ?? {};
    const firstFrom = Date.parse(new X509Certificate(first).validFrom);
    expect(validity?.from).toBeGreaterThan(firstFrom + 6_000);
    await server.stop();
  });

  it('renews at two thirds of the life, once, although the clock is ahead', async () => {
    await startAuthority();
    bench.addDomain(DOMAIN);
    const clock = { ...systemClock, ahead: 0, now: () => Date.now() + clock.ahead };
    const server = await start({}, { clock });
    await expect.poll(() => stateOf(server)).toBe('valid');
    const first = served()?.chain;
    clock.ahead = 50 * DAY_MS;
    await server.load();
    clock.ahead = 61 * DAY_MS;
    server.request();
    await expect.poll(() => served()?.chain !== first && served() !== undefined).toBe(true);
    await server.load();
    const counted = await bench.store.orders(Date.now());
    expect(counted.map(({ isRenewal }) => isRenewal).sort()).toEqual([false, true]);
    const { renewsAt = '' } = server.statusOf(DOMAIN);
    expect(Date.parse(renewsAt)).toBeGreaterThan(clock.now() + 20 * DAY_MS);
    clock.ahead = 100 * DAY_MS;
    server.request();
    await expect.poll(() => failureOf(server)?.detail).toMatch(/Is the clock of the server right/);
    expect(served()).toBeUndefined();
  });

  it('makes no order for a domain that is not proved, or does not arrive here', async () => {
    await startAuthority();
    bench.addDomain('unproved.longshore-shop.com', { isProved: false });
    bench.addDomain(DOMAIN);
    bench.dns.set(`A ${DOMAIN}`, '127.0.0.2');
    const server = await start();
    await expect.poll(() => failureOf(server)?.code).toBe('private-address');
    bench.dns.remove(`A ${DOMAIN}`);
    await server.retry(DOMAIN);
    await expect.poll(() => failureOf(server)?.code).toBe('no-address');
    expect(await orders()).toBe(0);
    expect(stateOf(server, 'unproved.longshore-shop.com')).toBe('pending');
    bench.dns.set(`A ${DOMAIN}`, '127.0.0.1');
    expect(await server.retry(DOMAIN)).toBe('tried');
    await expect.poll(() => stateOf(server)).toBe('valid');
    expect(pebble.output()).not.toContain('unproved');
  });

  it('removes a certificate whose proof or app is gone, and does not renew it', async () => {
    await startAuthority();
    bench.addDomain(DOMAIN);
    const server = await start();
    await expect.poll(() => stateOf(server)).toBe('valid');
    const [app] = bench.apps.splice(0);
    server.request();
    await expect.poll(() => served()).toBeUndefined();
    if (app !== undefined) bench.apps.push(app);
    server.request();
    await expect.poll(() => served()).toBeDefined();
    expect(await orders()).toBe(1);
  });

  it('reports what the authority refuses, and closes the order', async () => {
    await startAuthority();
    const domain = 'blocked.longshore-shop.com';
    bench.addDomain(domain);
    const server = await start();
    await expect.poll(() => stateOf(server, domain)).toBe('failed');
    expect(failureOf(server, domain)).toEqual({
      code: 'refused',
      detail: expect.stringContaining(domain),
    });
    expect(await bench.store.record(domain)).toMatchObject({ order: undefined, attempts: 1 });
    expect(await orders()).toBe(0);
  });

  it('reports what the authority found when it looks at another server', async () => {
    const elsewhere = await startDnsServer();
    elsewhere.set(`A ${DOMAIN}`, '127.0.0.9');
    await startAuthority({ dnsServer: elsewhere.address });
    bench.addDomain(DOMAIN);
    const server = await start();
    await expect.poll(() => stateOf(server)).toBe('failed');
    expect(failureOf(server)).toEqual({
      code: 'refused',
      detail: expect.stringContaining('127.0.0.9'),
    });
    // The authority has accepted the order, so it counts.
    expect(await bench.store.record(DOMAIN)).toMatchObject({ order: undefined, attempts: 1 });
    expect(await orders()).toBe(1);
    expect(bench.challenges.size).toBe(0);
    await elsewhere.close();
  });

  it('gets certificates for the console and for generated addresses', async () => {
    await startAuthority();
    bench.addDomain(DOMAIN);
    const [baseDomain, console] = ['apps.longshore-shop.com', 'console.longshore-shop.com'];
    const generated = autoDomain({ id: bench.apps[0]?.id ?? '', name: 'shop' }, baseDomain);
    for (const host of [generated, console]) bench.dns.set(`A ${host}`, '127.0.0.1');
    const names = { baseDomain, publicUrl: `https://${console}` };
    const server = await start({}, { names });
    for (const host of [console, DOMAIN, generated]) {
      await expect.poll(() => stateOf(server, host)).toBe('valid');
    }
    const counted = await bench.store.orders(Date.now());
    expect(counted.filter(({ isGenerated }) => isGenerated)).toHaveLength(1);
    expect(stateOf(server, 'shop.localhost')).toBe('off');
  });

  /** Fails requests of a kind. */
  const refuse =
    (path: string, respond: () => Response, times = Number.POSITIVE_INFINITY) =>
    (send: AcmeSend): AcmeSend => {
      let count = 0;
      return async (request, signal) => {
        if (!request.url.pathname.includes(path) || count >= times) return send(request, signal);
        count += 1;
        return respond();
      };
    };

  it('waits as long as the authority demands, and says so', async () => {
    await startAuthority();
    bench.addDomain(DOMAIN);
    const limited = () =>
      Response.json(
        { type: 'urn:ietf:params:acme:error:rateLimited', detail: 'too many certificates' },
        { status: 429, headers: { 'retry-after': '7200' } },
      );
    const startedAt = Date.now();
    const server = await start({}, { send: refuse('/order-plz', limited) });
    await expect.poll(() => stateOf(server)).toBe('failed');
    const { failure, nextTryAt = '' } = server.statusOf(DOMAIN);
    expect(failure).toEqual({ code: 'rate-limited', detail: 'too many certificates' });
    expect(Date.parse(nextTryAt)).toBeGreaterThanOrEqual(startedAt + 7_200_000);
    expect(await server.retry(DOMAIN)).toBe(Date.parse(nextTryAt));
    expect(await orders()).toBe(0);
  });

  it.each([
    ['before the order has a URL', '/order-plz', 2],
    ['before the challenge is answered', '/chalZ/', 1],
    ['before the order is finalized', '/finalize-order/', 1],
    ['before the certificate is read', '/certZ/', 1],
  ])('continues an order after the server was killed %s', async (_, path, ordered) => {
    await startAuthority();
    bench.addDomain(DOMAIN);
    await bench.startAndKill({ directory: pebble.directory, ca: pebble.ca }, path);
    const key = await bench.store.orderKey(DOMAIN);
    expect(key).toBeDefined();
    const next = await start();
    await expect.poll(() => stateOf(next)).toBe('valid');
    expect(served()?.key).toBe(key?.reveal());
    expect(await orders()).toBe(1);
    // At the authority, only an order whose URL was lost is made twice.
    const counts = (what: string) =>
      Number(
        pebble
          .output()
          .match(new RegExp(`There are now (\\d+) ${what}`, 'g'))
          ?.at(-1)
          ?.match(/\d+/)?.[0],
      );
    expect({ accounts: counts('accounts'), orders: counts('orders') }).toEqual({
      accounts: 1,
      orders: ordered,
    });
  });

  it('continues an order that the authority did not answer, without a new one', async () => {
    await startAuthority();
    bench.addDomain(DOMAIN);
    const down = () => new Response('down', { status: 503, headers: { 'retry-after': '30' } });
    const server = await start({}, { send: refuse('/finalize-order/', down, 1) });
    await expect.poll(() => failureOf(server)?.code).toBe('authority-unavailable');
    expect((await bench.store.record(DOMAIN))?.order?.url).toBeDefined();
    await server.retry(DOMAIN);
    await expect.poll(() => stateOf(server)).toBe('valid');
    expect(await orders()).toBe(1);
  });

  it('registers again, and orders again, when the authority has forgotten the account', async () => {
    await startAuthority();
    bench.addDomain(DOMAIN);
    const server = await start();
    await expect.poll(() => stateOf(server)).toBe('valid');
    const { directory } = pebble;
    await pebble.stop();
    await startAuthority();
    const moved = new URL(pebble.directory);
    bench.addDomain('api.longshore-shop.com');
    await server.stop();
    const next = await start(
      { directory },
      {
        send: (send) => (request, signal) => {
          const url = new URL(request.url);
          url.host = moved.host;
          return send({ ...request, url }, signal);
        },
      },
    );
    await expect.poll(() => stateOf(next, 'api.longshore-shop.com')).toBe('valid');
  });

  it('binds the account to one at the authority', async () => {
    const hmacKey = Buffer.from('a key of the authority, 32 bytes').toString('base64url');
    await startAuthority({ bindingKeys: { 'kid-1': hmacKey } });
    bench.addDomain(DOMAIN);
    const unbound = await start();
    await expect.poll(() => failureOf(unbound)?.code).toBe('account');
    await unbound.stop();
    const wrong = { kid: 'kid-2', hmacKey: new Secret(hmacKey) };
    const refused = await start({ binding: wrong });
    await refused.retry(DOMAIN);
    await expect.poll(async () => (await bench.store.record(DOMAIN))?.attempts).toBe(2);
    await refused.stop();
    const bound = await start({ binding: { kid: 'kid-1', hmacKey: new Secret(hmacKey) } });
    await bound.retry(DOMAIN);
    await expect.poll(() => stateOf(bound)).toBe('valid');
  });

  it('does not trust an authority without its CA file', async () => {
    await startAuthority();
    bench.addDomain(DOMAIN);
    const server = await start({ ca: undefined });
    await expect.poll(() => failureOf(server)?.code).toBe('authority-unavailable');
    expect(failureOf(server)?.detail).toMatch(/SELF_SIGNED|UNABLE_TO_VERIFY|self-signed/i);
  });
});
