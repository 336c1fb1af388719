import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, systemClock } from '@longshore/edge-contract';
import { afterEach, describe, expect, it } from 'vitest';
import type { DnsAnswers } from '../domains/domain-rules.ts';
import { type AddressAnswer, addressesProblem, arrivalFailure, checkArrival } from './arrival.ts';

const OWN = ['192.0.2.10', '10.0.0.5'];

it.each([
  [undefined, 'no-dns-answer'],
  [[], 'no-address'],
  [['192.0.2.10'], undefined],
  [['10.0.0.5'], undefined],
  [['8.8.8.8', '2606:4700::1'], undefined],
  [['10.0.0.6'], 'private-address'],
  [['127.0.0.1'], 'private-address'],
  [['169.254.169.254'], 'private-address'],
  [['::ffff:169.254.169.254'], 'private-address'],
  [['192.0.2.10', '10.0.0.6'], 'private-address'],
  [Array.from({ length: 9 }, (_, at) => `8.8.8.${at}`), 'elsewhere'],
])('decides about connecting to %j', (addresses, code) => {
  expect(addressesProblem(addresses, OWN)?.code).toBe(code);
});

describe('arrivalFailure', () => {
  const own: AddressAnswer = { address: '8.8.8.8', kind: 'own' };
  const foreign: AddressAnswer = { address: '8.8.4.4', kind: 'foreign', status: 404 };
  const closed: AddressAnswer = { address: '8.8.4.4', kind: 'unreachable', code: 'ECONNREFUSED' };
  const ipv6: AddressAnswer = { address: '2606::1', kind: 'unreachable', code: 'ENETUNREACH' };
  it.each<[string, AddressAnswer[], string | undefined]>([
    ['own', [own], undefined],
    ['one of two elsewhere', [own, foreign], 'elsewhere'],
    ['one of two closed', [own, closed], 'unreachable'],
    ['no IPv6 on this machine', [own, ipv6], undefined],
    ['only IPv6, which this machine does not have', [ipv6], 'unreachable'],
    ['IPv4 closed and no IPv6', [closed, ipv6], 'unreachable'],
  ])('of %s', (_, answers, code) => {
    expect(arrivalFailure(answers)?.code).toBe(code);
  });
});

describe('checkArrival', () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  async function check(
    respond: RequestListener,
    {
      addresses = ['127.0.0.1'],
      signal = new AbortController().signal,
      clock = systemClock as Clock,
    } = {},
  ) {
    server = createServer(respond).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const answers: DnsAnswers = { txt: [], cname: { targets: [], isComplete: true }, addresses };
    return await checkArrival(
      'shop.example.com',
      { token: 'token', response: 'response' },
      { lookUp: async () => answers, ownAddresses: () => ['127.0.0.1'], clock, port },
      signal,
    );
  }

  it('asks for the token at the domain', async () => {
    const seen: (string | undefined)[] = [];
    const failure = await check(({ url, headers }, response) => {
      seen.push(url, headers.host?.replace(/:\d+$/, ''));
      response.end('response\n');
    });
    expect(failure).toBeUndefined();
    expect(seen).toEqual(['/.well-known/acme-challenge/token', 'shop.example.com']);
  });

  it('waits for the edge to know the token', async () => {
    let requests = 0;
    const failure = await check((_, response) => {
      requests += 1;
      if (requests < 3) response.statusCode = 404;
      response.end('response');
    });
    expect(failure).toBeUndefined();
  });

  it.each<[string, RequestListener]>([
    ['answers something else', (_, response) => void response.end('welcome')],
    ['answers with an error', (_, response) => void response.writeHead(500).end('response')],
    [
      'redirects',
      (_, response) =>
        void response.writeHead(301, { location: 'http://127.0.0.1/' }).end('response'),
    ],
  ])('does not accept a server that %s', async (_, respond) => {
    expect(await check(respond)).toMatchObject({
      code: 'elsewhere',
      detail: expect.stringContaining('127.0.0.1'),
    });
  });

  it('asks a slow server once: it must not keep others waiting', async () => {
    let [requests, slowMs] = [0, 0];
    const clock = { ...systemClock, now: () => slowMs };
    const respond: RequestListener = (_, response) => {
      requests += 1;
      slowMs += 9_000;
      response.end('welcome');
    };
    expect(await check(respond, { clock })).toMatchObject({ code: 'elsewhere' });
    expect(requests).toBe(1);
  });

  it('reads no long answers', async () => {
    const failure = await check((_, response) => void response.end('x'.repeat(100_000)));
    expect(failure?.code).toBe('unreachable');
  });

  it('stops when the signal is aborted', async () => {
    const abort = new AbortController();
    const checking = check(() => abort.abort(new Error('stopped')), { signal: abort.signal });
    await expect(checking).rejects.toThrow('stopped');
  });
});
