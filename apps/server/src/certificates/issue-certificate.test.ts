import { createSimulatedClock } from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
import { hasOpenssl, selfSigned } from '../../test/certificates/self-signed.ts';
import { Secret } from '../secrets/secret.ts';
import type { AcmeClient, AcmeOrder } from './acme/acme-client.ts';
import type { WantedCertificate } from './certificate-rules.ts';
import type { CertificateStore, IssuedCertificate } from './certificate-store.ts';
import { issueCertificate } from './issue-certificate.ts';

const DOMAIN = 'shop.example.com';
const URL = 'https://ca.example/order/1';
const wanted: WantedCertificate = {
  domain: DOMAIN,
  kind: 'custom',
  ownerId: 'ada',
  refusal: undefined,
  isAwake: true,
};

/** An order that was begun, at an authority that reports these statuses one after the other. */
async function openBench(statuses: AcmeOrder['status'][], change = (chain: string) => chain) {
  const pair = await selfSigned([DOMAIN]);
  const clock = createSimulatedClock(Date.now());
  const calls: string[] = [];
  const issued: IssuedCertificate[] = [];
  const order = (): AcmeOrder => ({
    status: statuses.shift() ?? 'valid',
    authorizations: ['https://ca.example/authorization/1'],
    finalize: `${URL}/finalize`,
    certificate: `${URL}/certificate`,
    url: URL,
    retryAfterMs: undefined,
  });
  const read = (name: string) => {
    calls.push(name);
    return order();
  };
  const challenge = { url: '', status: 'valid', token: 't', response: 'r', problem: undefined };
  const client: AcmeClient = {
    newOrder: async () => read('newOrder'),
    order: async () => read('order'),
    authorization: async () => ({ status: 'valid', challenge, retryAfterMs: undefined }),
    respond: async () => {},
    finalize: async () => read('finalize'),
    certificate: async () => change(pair.cert),
  };
  const record = { order: { url: URL } };
  const store = {
    orderKey: async () => new Secret(pair.key),
    record: async () => record,
    closeOrder: async () => void calls.push('closeOrder'),
    saveIssued: async (_: string, saved: IssuedCertificate) => void issued.push(saved),
  } as unknown as CertificateStore;
  const deps = {
    client,
    store,
    clock,
    present: async () => {},
    withdraw: () => {},
    random: () => 0,
  };
  const begun = { order: { url: URL, startedAt: clock.now() }, isRenewal: false };
  const done = issueCertificate(wanted, begun, deps, new AbortController().signal);
  return { done, clock, calls, issued, pair };
}

describe.skipIf(!hasOpenssl)('issueCertificate', () => {
  it('reads an order at most once a second while the authority is slow', async () => {
    const bench = await openBench(['pending', 'pending', 'pending', 'ready', 'processing']);
    for (let seconds = 1; seconds <= 3; seconds += 1) {
      await expect.poll(() => bench.clock.pending()).toBe(1);
      expect(bench.calls.filter((call) => call === 'order')).toHaveLength(seconds + 1);
      await bench.clock.advance(1_000);
    }
    expect(await bench.done).toBe(true);
  });

  it('keeps nothing but the certificates of an answer', async () => {
    const bench = await openBench([], (chain) => `\0 ${chain}\n\n${chain}-----BEGIN`);
    expect(await bench.done).toBe(true);
    expect(bench.issued[0]?.chain).toBe(bench.pair.cert.repeat(2));
  });

  it.each<[string, (chain: string) => string, RegExp]>([
    ['no certificate', () => 'none', /no certificate in PEM format/],
    ['a chain that the edge would refuse', (chain) => chain.repeat(1_000), /more than 256 KiB/],
  ])('refuses %s, and closes the order', async (_, change, problem) => {
    const bench = await openBench([], change);
    await expect(bench.done).rejects.toThrow(problem);
    expect(bench.calls).toContain('closeOrder');
    expect(bench.issued).toEqual([]);
  });
});
