import { createServer, type LookupFunction } from 'node:net';
import { expect, it } from 'vitest';
import { get, HOST, startApp, startIngress } from '../../test/ingress-fixture.ts';
import { silentAddress, startLosable } from '../../test/silent-address.ts';
import { isLost } from './is-lost.ts';
import { LIMITS } from './limits.ts';

it('is lost when it neither accepts nor refuses connections', async () => {
  expect(await isLost(await silentAddress(), 300)).toBe(true);
});

it('is not lost when it accepts or refuses connections', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address() as { port: number };
  expect(await isLost({ host: '127.0.0.1', port: address.port }, 60_000)).toBe(false);
  await new Promise((resolve) => server.close(resolve));
  expect(await isLost({ host: '127.0.0.1', port: address.port }, 60_000)).toBe(false);
});

it.each([
  ['ETIMEDOUT', true],
  ['EHOSTUNREACH', true],
  ['EHOSTDOWN', true],
  ['ENETUNREACH', true],
  ['ECONNREFUSED', false],
  ['ECONNRESET', false],
  ['EMFILE', false],
  ['ENFILE', false],
  ['ENOBUFS', false],
  ['EACCES', false],
  ['EPERM', false],
])('takes the error %s for a lost machine: %s', async (code, expected) => {
  const fail: LookupFunction = (_host, _options, callback) =>
    callback(Object.assign(new Error(code), { code }), '');
  expect(await isLost({ host: 'app.example', port: 80, lookup: fail }, 60_000)).toBe(expected);
});

it('is not lost when this machine cannot open a connection', async () => {
  // Reserved for documentation.
  const localAddress = '192.0.2.1';
  expect(await isLost({ host: '127.0.0.1', port: 80, localAddress }, 60_000)).toBe(false);
});

it('sends a request to another instance when the machine of an instance that left the route is lost', async () => {
  const lost = await startLosable();
  const other = await startApp((_incoming, response) => response.end('other'));
  const { ingress, port } = await startIngress();
  ingress.routes.set('app-1', [HOST], { kind: 'live', targets: [lost.address] });
  const response = get(port);
  await lost.requested();
  await lost.lose();
  const leftAt = performance.now();
  ingress.routes.set('app-1', [HOST], { kind: 'live', targets: [other] });
  expect(await response).toContain('other');
  // Timers may fire a millisecond early.
  expect(performance.now() - leftAt).toBeGreaterThan(LIMITS.connectMs - 10);
}, 60_000);
