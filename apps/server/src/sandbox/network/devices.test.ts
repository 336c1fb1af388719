import { expect, it } from 'vitest';
import {
  appBatch,
  deviceName,
  hostBatch,
  isDeviceGone,
  isDeviceOf,
  machineBatch,
} from './devices.ts';

const connection = {
  device: 'lsabcdef0000001',
  address: '10.213.0.5',
  address6: undefined,
  hasIpv6Stack: true,
  gateway: '10.213.0.1',
  gateway6: 'fd5c:9a27:e1b4:213::1',
};
const address6 = 'fd5c:9a27:e1b4:213::ad5:5';

it.each(['abcdef', 'abcdef012345'])('names devices of installation %s', (installation) => {
  const device = deviceName(installation, Uint8Array.of(0, 31, 32, 255, 9, 10, 35));
  expect(device).toBe('lsabcdef0v0v9a3');
  expect(device.length).toBeLessThanOrEqual(15);
  expect(isDeviceOf(installation, device)).toBe(true);
});

it.each(['lsabcdee0v0v9a3', 'lsabcdef', 'eth0', 'lsabcdef0v0v9a3x', 'lsabcdef0v0v" a'])(
  'does not take %s for a device of its own',
  (device) => {
    expect(isDeviceOf('abcdef', device)).toBe(false);
  },
);

it('connects a namespace without giving the host an address', () => {
  expect(hostBatch(connection, '/proc/7/fd/9').split('\n')).toEqual([
    'link add lsabcdef0000001 address 02:6c:73:00:00:01 type veth peer name eth0 address 02:6c:73:00:00:02 netns /proc/7/fd/9',
    'link set lsabcdef0000001 addrgenmode none',
    'link set lsabcdef0000001 up',
    'route add 10.213.0.5/32 dev lsabcdef0000001 src 10.213.0.1',
    'neighbour add 10.213.0.5 lladdr 02:6c:73:00:00:02 dev lsabcdef0000001 nud permanent',
    '',
  ]);
});

it('gives the program an address and a route', () => {
  expect(appBatch(connection).split('\n')).toEqual([
    'link set lo up',
    'link set eth0 addrgenmode none',
    'link set eth0 up',
    'address add 10.213.0.5/32 dev eth0',
    'neighbour add 10.213.0.1 lladdr 02:6c:73:00:00:01 dev eth0 nud permanent',
    'route add default via 10.213.0.1 dev eth0 onlink',
    '',
  ]);
});

it('adds IPv6 on both sides', () => {
  const both = { ...connection, address6 };
  expect(hostBatch(both, 'x')).toContain(`route add ${address6}/128 dev lsabcdef0000001\n`);
  expect(appBatch(both)).toContain(`address add ${address6}/128 dev eth0 nodad\n`);
  expect(appBatch(both)).toContain('route add ::/0 via fd5c:9a27:e1b4:213::1 dev eth0 onlink\n');
});

it('sets nothing of IPv6 if the kernel has none', () => {
  const without = { ...connection, hasIpv6Stack: false };
  expect(hostBatch(without, 'x') + appBatch(without)).not.toContain('addrgenmode');
});

it('makes addresses without a program unreachable', () => {
  expect(machineBatch('10.213.0.1', ['10.213.0.0/16'])).toBe(
    'address add 10.213.0.1/32 dev lo\nroute add unreachable 10.213.0.0/16\n',
  );
});

/** Unchanged messages of iproute2. */
it.each([
  ['Cannot find device "lsabcdef0000001"', true],
  ['RTNETLINK answers: No such device', true],
  ['RTNETLINK answers: Operation not permitted', false],
])('recognizes that a device is gone by %j: %s', (output, isGone) => {
  expect(isDeviceGone(output)).toBe(isGone);
});
