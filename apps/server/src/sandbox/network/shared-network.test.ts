import { expect, it } from 'vitest';
import type { HostCommands } from './host-commands.ts';
import { prepareForwarding } from './shared-network.ts';

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
