import { expect, it } from 'vitest';
import type { HostCommands } from './host-commands.ts';
import { createSharedNetwork, prepareForwarding } from './shared-network.ts';

function hostWith(settings: Record<string, string>, route: object | undefined): HostCommands {
  return {
    namespaceFile: '',
    run: async () => JSON.stringify(route === undefined ? [] : [route]),
    readSetting: async (name) => settings[name],
    async writeSetting(name, value) {
      settings[name] = value;
    },
  };
}

const fixed = { dst: 'default', protocol: 'static' };
const advertised = { dst: 'default', protocol: 'ra' };

it.each([
  ['a kernel without IPv6', undefined, undefined, { hasStack: false, hasRoute: false }, undefined],
  ['no IPv6 route', '0', undefined, { hasStack: true, hasRoute: false }, '0'],
  ['a fixed IPv6 route', '0', fixed, { hasStack: true, hasRoute: true }, '1'],
  ['an advertised IPv6 route', '0', advertised, { hasStack: true, hasRoute: false }, '0'],
  ['an IPv6 router', '1', advertised, { hasStack: true, hasRoute: true }, '1'],
])('turns on forwarding with %s', async (_, forwarding, route, support, after) => {
  const settings: Record<string, string> = { 'ipv4/ip_forward': '0' };
  if (forwarding !== undefined) settings['ipv6/conf/all/forwarding'] = forwarding;
  expect(await prepareForwarding(hostWith(settings, route))).toEqual(support);
  expect(settings['ipv4/ip_forward']).toBe('1');
  expect(settings['ipv6/conf/all/forwarding']).toBe(after);
});

it.each([
  ['a device of the machine', { dst: '10.213.5.0/24', dev: 'wan' }, false],
  ['an app', { dst: '10.213.39.227', dev: 'lsabcdef0000001' }, true],
  ['an app that ended meanwhile', { dst: '10.213.39.227', dev: 'if19' }, true],
  ['no device', { type: 'unreachable', dst: '10.213.0.0/16' }, true],
])('decides whether a network with a route of %s can be used', async (_, route, isPrepared) => {
  const network = { base: 0x0a_d5_00_00, bits: 16 };
  const shared = createSharedNetwork(hostWith({}, route), { network, hasIpv6: false });
  const prepared = shared.prepare().then(() => true, String);
  expect(await prepared).toEqual(isPrepared || expect.stringContaining('in use on this machine'));
});
