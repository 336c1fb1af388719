import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import type { HealthCheck } from '@longshore/contract';
import { expect, it, onTestFinished } from 'vitest';
import type { ProbeResult } from './health-rules.ts';
import { probe } from './probe.ts';

const { signal } = new AbortController();

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const served = (answer: RequestListener) => listen(createServer(answer));

const check = (port: number, settings: HealthCheck, timeoutMs?: number) =>
  probe(
    { address: { host: '127.0.0.1', port }, check: settings, host: 'shop.example.com' },
    signal,
    timeoutMs,
  );

it.each<[number, number | undefined, ProbeResult]>([
  [200, undefined, { kind: 'passed' }],
  [302, undefined, { kind: 'passed' }],
  [399, undefined, { kind: 'passed' }],
  [400, undefined, { kind: 'failed', problem: 'status 400, expected 200 to 399' }],
  [500, undefined, { kind: 'failed', problem: 'status 500, expected 200 to 399' }],
  [418, 418, { kind: 'passed' }],
  [200, 204, { kind: 'failed', problem: 'status 200, expected 204' }],
])('status %i with the expected status %s: %j', async (answer, status, result) => {
  const requests: unknown[] = [];
  const port = await served((request, response) => {
    requests.push([request.method, request.url, request.headers.host]);
    response.writeHead(answer, { location: '/elsewhere' }).end('x');
  });
  const settings = { path: '/up?deep', ...(status === undefined ? {} : { status }) };
  expect(await check(port, settings)).toEqual(result);
  // No redirect is followed.
  expect(requests).toEqual([['GET', '/up?deep', 'shop.example.com']]);
});

it('does not wait for the end of an endless body', async () => {
  const port = await served((_, response) => {
    response.writeHead(200);
    response.write('x'.repeat(1_000_000));
  });
  expect(await check(port, { path: '/' })).toEqual({ kind: 'passed' });
});

it('fails without a response, and ends at its deadline', async () => {
  const port = await served(() => {});
  expect(await check(port, { path: '/' }, 50)).toEqual({
    kind: 'failed',
    problem: 'no response within 0.05 s',
  });
});

it('fails for what is not HTTP, a closed connection and a closed port', async () => {
  const port = await listen(createTcpServer((socket) => socket.end('SSH-2.0\r\n\r\n')));
  expect(await check(port, { path: '/' })).toMatchObject({ kind: 'failed' });
  const closing = await listen(createTcpServer((socket) => socket.destroy()));
  expect(await check(closing, { path: '/' })).toEqual({
    kind: 'failed',
    problem: 'connection closed without a response',
  });
  const refused = { kind: 'failed', problem: 'connection refused' };
  expect(await check(1, { path: '/' })).toEqual(refused);
  expect(await check(1, {})).toEqual(refused);
});

it('without a path needs a connection only', async () => {
  const port = await listen(createTcpServer(() => {}));
  expect(await check(port, { intervalSeconds: 1 })).toEqual({ kind: 'passed' });
});

it('ends at once when it is aborted', async () => {
  const port = await served(() => {});
  const controller = new AbortController();
  const target = { address: { host: '127.0.0.1', port }, check: { path: '/' }, host: 'a' };
  const probing = probe(target, controller.signal);
  controller.abort(new Error('stopped'));
  await expect(probing).rejects.toThrow('stopped');
});
