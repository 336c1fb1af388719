import { expect, it } from 'vitest';
import {
  createOtherPortFinder,
  findOtherPort,
  needsForwarding,
  type OtherPort,
} from './find-other-port.ts';

const open = (port: number) => ({ host: '0.0.0.0', port });
const local = (port: number) => ({ host: '127.0.0.1', port });

it.each<[what: string, sockets: { host: string; port: number }[], found: OtherPort | undefined]>([
  ['nothing', [], undefined],
  ['one port', [open(4567)], { port: 4567, isLoopback: false }],
  ['IPv6 and IPv4', [{ host: '[::]', port: 3000 }], { port: 3000, isLoopback: false }],
  ['only 127.0.0.1', [local(3000)], { port: 3000, isLoopback: true }],
  ['both addresses of a port', [local(3000), open(3000)], { port: 3000, isLoopback: false }],
  ['a usual port and a lower one', [open(1024), open(8080)], { port: 8080, isLoopback: false }],
  ['a low and a high one', [open(9464), open(7000)], { port: 7000, isLoopback: false }],
  [
    'an open port and a usual local one',
    [local(3000), open(7000)],
    { port: 7000, isLoopback: false },
  ],
  ['only the debugger', [local(9229)], undefined],
  ['only IPv6 loopback', [{ host: '[::1]', port: 3000 }], undefined],
])('for %s', (_, sockets, found) => {
  expect(findOtherPort(sockets)).toEqual(found);
});

it.each([
  [['127.0.0.1'], true],
  [['127.0.0.1', '[::1]'], true],
  [['[::1]'], false],
  [['127.0.0.1', '0.0.0.0'], false],
])('sockets on %j need forwarding: %s', (hosts, expected) => {
  expect(needsForwarding(hosts.map((host) => ({ host })))).toBe(expected);
});

it('finds a port only after the app has listened on it for two seconds', () => {
  let now = 0;
  const find = createOtherPortFinder(() => now);
  const at = (ms: number, sockets: { host: string; port: number }[]) => {
    now = ms;
    return find(sockets)?.port;
  };
  expect(at(0, [open(9000)])).toBeUndefined();
  expect(at(1_500, [open(9000), open(3000)])).toBeUndefined();
  expect(at(2_500, [open(3000)])).toBeUndefined();
  expect(at(3_500, [open(3000)])).toBe(3000);
});
