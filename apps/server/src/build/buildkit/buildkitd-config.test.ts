import { expect, it } from 'vitest';
import { type BuildkitdSettings, buildkitdConfig } from './buildkitd-config.ts';

const GIB = 1024 ** 3;

function config(settings: Partial<BuildkitdSettings> = {}): string {
  return buildkitdConfig({
    diskBytes: 10 * GIB,
    parallelism: 2,
    nameservers: [],
    registries: { registry: undefined, mirror: undefined },
    ...settings,
  });
}

/** The part about registries. */
function registryLines(settings: Pick<BuildkitdSettings, 'registries' | 'forwarders'>): string[] {
  const text = config(settings);
  return text
    .slice(text.indexOf('[registry'))
    .split('\n')
    .filter((line) => line !== '');
}

it('grants no entitlement', () => {
  expect(config()).toMatch(/^insecure-entitlements = \[\]$/m);
  expect(config()).toMatch(/^\[cdi\]\ndisabled = true$/m);
});

it('limits the steps at once and what the cache keeps of the disk', () => {
  const text = config({ diskBytes: 10 * GIB, parallelism: 3 });
  expect(text).toContain('max-parallelism = 3\n');
  expect(text).toContain(
    `[[worker.oci.gcpolicy]]\nall = true\nmaxUsedSpace = ${6 * GIB}\nminFreeSpace = ${3 * GIB}\n`,
  );
});

it('sets nameservers if there are any', () => {
  expect(config({ nameservers: ['10.213.0.1', 'fd00::1'] })).toContain(
    '[dns]\nnameservers = ["10.213.0.1","fd00::1"]\n',
  );
  expect(config()).not.toContain('[dns]');
});

it('has no registries unless the operator sets some', () => {
  expect(config()).not.toContain('[registry');
});

const OWN = { host: 'registry.example.com', path: 'team', isInsecure: false };
const LOCAL = { host: 'localhost:5000', path: '', isInsecure: false };

it.each<[string, Pick<BuildkitdSettings, 'registries' | 'forwarders'>, string[]]>([
  [
    'an https mirror',
    { registries: { registry: undefined, mirror: { host: 'mirror.test', isPlainHttp: false } } },
    [
      '[registry."docker.io"]',
      'mirrors = ["mirror.test"]',
      '[registry."mirror.test"]',
      'http = false',
    ],
  ],
  [
    'a forwarded mirror',
    {
      registries: { registry: undefined, mirror: { host: 'localhost:5000', isPlainHttp: false } },
      forwarders: { mirror: '10.213.0.1:4001' },
    },
    [
      '[registry."docker.io"]',
      'mirrors = ["10.213.0.1:4001"]',
      '[registry."10.213.0.1:4001"]',
      'http = true',
    ],
  ],
  [
    'an insecure registry',
    { registries: { registry: { ...OWN, isInsecure: true }, mirror: undefined } },
    ['[registry."registry.example.com"]', 'http = true', 'insecure = true'],
  ],
  [
    'a forwarded registry',
    {
      registries: { registry: LOCAL, mirror: undefined },
      forwarders: { registry: '10.213.0.1:4002' },
    },
    [
      '[registry."localhost:5000"]',
      'mirrors = ["10.213.0.1:4002"]',
      '[registry."10.213.0.1:4002"]',
      'http = true',
    ],
  ],
  [
    'a registry that is also the mirror, in one table',
    {
      registries: {
        registry: { ...OWN, isInsecure: true },
        mirror: { host: OWN.host, isPlainHttp: true },
      },
    },
    [
      '[registry."docker.io"]',
      'mirrors = ["registry.example.com"]',
      '[registry."registry.example.com"]',
      'http = true',
      'insecure = true',
    ],
  ],
])('configures %s', (_, settings, lines) => {
  expect(registryLines(settings)).toEqual(lines);
});

it('needs nothing for a registry with a trusted certificate', () => {
  expect(config({ registries: { registry: OWN, mirror: undefined } })).not.toContain('[registry');
});

it('ignores a forwarder without its registry', () => {
  expect(config({ forwarders: { mirror: 'a:1', registry: 'b:2' } })).not.toContain('[registry');
});

it('escapes every text', () => {
  const host = 'a"]\nmirrors = ["evil\\\u007f';
  const lines = registryLines({
    registries: { registry: { ...OWN, host, isInsecure: true }, mirror: undefined },
  });
  expect(lines[0]).toBe('[registry."a\\"]\\nmirrors = [\\"evil\\\\\\u007f"]');
});
