import { PROTOCOL } from '@longshore/edge-contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createEdgeInstallation,
  type EdgeInstallation,
  openControl,
  processesOf,
} from '../../test/edge-processes.ts';

let edge: EdgeInstallation;

beforeAll(async () => {
  edge = createEdgeInstallation();
  await edge.start();
});

afterAll(() => edge.remove());

function hello(secret: string, protocol = PROTOCOL) {
  return { kind: 'hello', protocol, secret, installation: 'test' } as const;
}

const stop = { kind: 'stop', drainMs: 0 } as const;

it.each<[string, () => string | Buffer, string]>([
  ['a wrong secret', () => JSON.stringify(hello('0'.repeat(64))), 'wrong secret'],
  ['an empty secret', () => JSON.stringify(hello('')), 'wrong secret'],
  ['a secret that goes on', () => JSON.stringify(hello(`${edge.secret}0`)), 'wrong secret'],
  ['another message than hello', () => JSON.stringify(stop), 'expected hello'],
  ['garbage', () => Buffer.from([0, 255, 1, 254]), 'expected hello'],
  ['an HTTP request', () => 'GET / HTTP/1.1\r\n\r\n', 'expected hello'],
  ['JSON of another form', () => '[[[[]]]]', 'expected hello'],
  ['a long line without an end', () => 'x'.repeat(5_000), 'line too long'],
])('refuses a peer that begins with %s', async (_what, bytes, reason) => {
  const peer = await openControl(edge.folder);
  const refused = peer.next('refused');
  peer.write(bytes());
  peer.write('\n');
  // After a refusal, nothing is read: not even a right hello.
  peer.send(hello(edge.secret));
  expect(await refused).toEqual({ kind: 'refused', reason });
  await peer.closed;
  expect(peer.messages).toEqual([]);
});

it.each<[string, string, string]>([
  ['an unknown message', '{"kind":"shutdown"}', 'invalid message'],
  ['a second hello', JSON.stringify(hello('0'.repeat(64))), 'invalid message'],
  [
    'a route without hosts',
    '{"kind":"change","change":{"routes":[{"appId":"a"}]}}',
    'invalid message',
  ],
  ['a line above the limit', 'x'.repeat(1_048_577), 'line too long'],
])('disconnects a server that sends %s, and serves the next one', async (_what, line, reason) => {
  const server = await edge.connect();
  const refused = server.next('refused');
  server.write(`${line}\n`);
  expect(await refused).toEqual({ kind: 'refused', reason });
  await server.closed;
  (await edge.connect()).close();
});

it('answers a server of another protocol with its own, and takes only replace and stop from it', async () => {
  const server = await openControl(edge.folder);
  const refused = server.next('refused');
  server.send(hello(edge.secret, PROTOCOL + 1));
  expect(await server.next('welcome')).toMatchObject({ protocol: PROTOCOL });
  server.send({ kind: 'sync', phase: 'begin' });
  expect(await refused).toEqual({ kind: 'refused', reason: 'this edge speaks protocol 1' });
});

it('disconnects the older of two servers', async () => {
  const older = await edge.connect();
  const newer = await edge.connect();
  await older.closed;
  await newer.sync({});
});

it('accepts a server while peers without hello hold connections', async () => {
  const peers = await Promise.all(Array.from({ length: 10 }, () => openControl(edge.folder)));
  (await edge.connect()).close();
  for (const peer of peers) peer.close();
});

it('names its version, its process and its listeners', async () => {
  const server = await openControl(edge.folder);
  server.send(hello(edge.secret));
  expect(await server.next('welcome')).toMatchObject({
    build: expect.stringMatching(/^[0-9a-f]{16}$/),
    pid: processesOf(edge.folder, 'keeper.mjs')[0],
    listeners: [{ protocol: 'http', host: '127.0.0.1' }],
    answersAskIdle: true,
  });
  server.close();
});
