import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DnsServer, startDnsServer } from '../../test/domains/dns-server.ts';
import { createDnsClient } from './dns-client.ts';

let dns: DnsServer;
const { signal } = new AbortController();

beforeAll(async () => {
  dns = await startDnsServer();
});
afterAll(() => dns.close());

const lookUp = (domain: string, timeoutMs?: number) =>
  createDnsClient({ servers: [dns.address], ...(timeoutMs && { timeoutMs }) })(domain, signal);

it('returns no records of a name that does not exist', async () => {
  expect(await lookUp('missing.example')).toEqual({
    txt: [],
    cname: { targets: [], isComplete: true },
    addresses: [],
  });
});

it('returns the records of a domain and of its proof', async () => {
  dns.set('TXT _longshore.shop.example', 'token-1', 'other');
  dns.set('A shop.example', '192.0.2.1', '192.0.2.2');
  dns.set('AAAA shop.example', '2001:db8::1');
  expect(await lookUp('shop.example')).toEqual({
    txt: ['token-1', 'other'],
    cname: { targets: [], isComplete: true },
    addresses: ['192.0.2.1', '192.0.2.2', '2001:db8::1'],
  });
});

it.each<[string, string | string[], string]>([
  ['is split into several strings', ['tok', 'en-', '1'], 'token-1'],
  ['has quotation marks', '"token-1"', 'token-1'],
  ['has spaces around it', ' token-1 ', 'token-1'],
  ['has a null character', 'token\0', 'token\0'],
])('reads a TXT record that %s', async (_, value, text) => {
  dns.set('TXT _longshore.text.example', value);
  expect((await lookUp('text.example')).txt).toEqual([text]);
});

it('reads answers of 50 kB, over TCP', async () => {
  const values = Array.from({ length: 200 }, (_, index) => `${index}-${'x'.repeat(240)}`);
  dns.set('TXT _longshore.large.example', ...values, 'token-1');
  expect((await lookUp('large.example')).txt).toHaveLength(201);
});

it('follows CNAME records, in any case', async () => {
  dns.set('CNAME www.chain.example', 'Edge.chain.example');
  dns.set('CNAME edge.chain.example', 'shop-0123456789ab.apps.test');
  expect((await lookUp('www.chain.example')).cname).toEqual({
    targets: ['edge.chain.example', 'shop-0123456789ab.apps.test'],
    isComplete: true,
  });
});

it.each<[string, string[]]>([
  ['one.loop.example', ['two.loop.example']],
  ['self.loop.example', []],
])('ends a loop of CNAME records from %s', async (domain, targets) => {
  dns.set('CNAME one.loop.example', 'two.loop.example');
  dns.set('CNAME two.loop.example', 'one.loop.example');
  dns.set('CNAME self.loop.example', 'self.loop.example');
  expect((await lookUp(domain)).cname).toEqual({ targets, isComplete: true });
});

it('follows at most 8 CNAME records', async () => {
  for (let at = 0; at < 20; at += 1) dns.set(`CNAME c${at}.example`, `c${at + 1}.example`);
  expect((await lookUp('c0.example')).cname.targets).toHaveLength(8);
});

it.each(['SERVFAIL', 'REFUSED', 'garbage'] as const)('takes %s as no answer', async (failure) => {
  const domain = `${failure.toLowerCase()}.example`;
  dns.set(`TXT _longshore.${domain}`, 'token-1');
  dns.fail(`TXT _longshore.${domain}`, failure);
  dns.fail(`CNAME ${domain}`, failure);
  dns.fail(`AAAA ${domain}`, failure);
  expect(await lookUp(domain, 1_000)).toEqual({
    txt: undefined,
    cname: { targets: [], isComplete: false },
    addresses: undefined,
  });
});

it('keeps what was answered when other queries are not, within the deadline', async () => {
  dns.set('TXT _longshore.slow.example', 'token-1');
  dns.set('CNAME slow.example', 'further.example');
  dns.fail('CNAME further.example', 'silent');
  dns.fail('A slow.example', 'silent');
  expect(await lookUp('slow.example', 2_000)).toEqual({
    txt: ['token-1'],
    cname: { targets: ['further.example'], isComplete: false },
    addresses: undefined,
  });
});

it('stops when the signal is aborted', async () => {
  const abort = new AbortController();
  dns.fail('A abort.example', 'silent');
  const lookingUp = createDnsClient({ servers: [dns.address] })('abort.example', abort.signal);
  await expect.poll(() => dns.queries).toContain('a abort.example');
  abort.abort();
  expect((await lookingUp).addresses).toBeUndefined();
});

it('asks the next name server when one does not answer', async () => {
  const silent = createSocket('udp4').bind(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  dns.set('TXT _longshore.second.example', 'token-1');
  const servers = [`127.0.0.1:${port}`, dns.address];
  expect((await createDnsClient({ servers })('second.example', signal)).txt).toEqual(['token-1']);
  silent.close();
});

it.each(['a..example', `${'a'.repeat(64)}.example`])(
  'finds no record of the impossible name %s',
  async (domain) => {
    expect(await lookUp(domain)).toMatchObject({ txt: [], addresses: [] });
  },
);
