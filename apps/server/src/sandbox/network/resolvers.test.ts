import { expect, it } from 'vitest';
import { deriveResolvers, resolvConf } from './resolvers.ts';

const gateway = '10.213.0.1';
const UPSTREAMS = 'nameserver 10.0.0.2\nnameserver 10.0.0.3\n';

it.each([
  ['public servers', 'nameserver 9.9.9.9\nnameserver 1.1.1.1\n', undefined, ['9.9.9.9', '1.1.1.1']],
  [
    'private servers',
    'search corp\nnameserver\t10.0.0.2\noptions edns0\n',
    undefined,
    ['10.0.0.2'],
  ],
  [
    'comments',
    '# nameserver 1.1.1.1\n; nameserver 1.1.1.1\nnameserver 9.9.9.9',
    undefined,
    ['9.9.9.9'],
  ],
  [
    'servers behind systemd-resolved',
    'nameserver 127.0.0.53\n',
    UPSTREAMS,
    ['10.0.0.2', '10.0.0.3'],
  ],
  [
    'at most three',
    '1234'.replace(/./g, 'nameserver 9.9.9.$&\n'),
    undefined,
    ['9.9.9.1', '9.9.9.2', '9.9.9.3'],
  ],
  [
    'no IPv6 server without IPv6',
    'nameserver 2620:fe::9\nnameserver 9.9.9.9\n',
    undefined,
    ['9.9.9.9'],
  ],
  ['no link-local server', 'nameserver fe80::1%eth0\nnameserver 9.9.9.9\n', undefined, ['9.9.9.9']],
])('keeps %s', (_, system, systemd, nameservers) => {
  const resolvers = deriveResolvers({ system, systemd }, { gateway, hasIpv6: false });
  expect(resolvers).toEqual({ nameservers, forwardTo: undefined });
});

it.each([
  ['another loopback address', 'nameserver 127.0.0.1\n', undefined, [gateway], '127.0.0.1'],
  ['systemd-resolved without servers', 'nameserver 127.0.0.53\n', '', [gateway], '127.0.0.53'],
  [
    'systemd-resolved without a list',
    'nameserver 127.0.0.53\n',
    undefined,
    [gateway],
    '127.0.0.53',
  ],
  [
    'a loopback address first',
    'nameserver 127.0.0.1\nnameserver 9.9.9.9',
    undefined,
    [gateway, '9.9.9.9'],
    '127.0.0.1',
  ],
  ['the IPv6 loopback address', 'nameserver ::1\n', undefined, [gateway], '127.0.0.1'],
  ['no server', '', undefined, [gateway], '127.0.0.1'],
])('forwards from the gateway: %s', (_, system, systemd, nameservers, forwardTo) => {
  const resolvers = deriveResolvers({ system, systemd }, { gateway, hasIpv6: false });
  expect(resolvers).toEqual({ nameservers, forwardTo });
});

it('keeps IPv6 servers with IPv6', () => {
  const files = { system: 'nameserver 2620:fe::9\n', systemd: undefined };
  expect(deriveResolvers(files, { gateway, hasIpv6: true }).nameservers).toEqual(['2620:fe::9']);
});

it('writes resolv.conf', () => {
  expect(resolvConf({ nameservers: ['9.9.9.9', '1.1.1.1'] })).toBe(
    'nameserver 9.9.9.9\nnameserver 1.1.1.1\n',
  );
});
