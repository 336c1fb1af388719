import { describe, expect, it } from 'vitest';
import { memberChangeText, type RulesetInput, rulesetText } from './ruleset.ts';

const input: RulesetInput = {
  installation: 'abc123',
  network: { base: 10 * 2 ** 24 + 213 * 2 ** 16, bits: 16 },
  allowedNetworks: [],
  edge: { host: '127.0.0.1', ports: [8080, 8443] },
  resolvers: { nameservers: ['9.9.9.9'], forwardTo: undefined },
  builders: { reachesPrivateNetworks: false, forwardedPorts: [], registries: [] },
  members: [],
};
const one = { device: 'lsabc1230000001', address: '10.213.0.2', project: 1, isBuilder: false };
const two = {
  device: 'lsabc1230000002',
  address: '10.213.0.3',
  address6: 'fd5c:9a27:e1b4:213::ad5:3',
  project: 2,
  isBuilder: false,
};

/** The rules of a chain. */
function chain(name: string, changes: Partial<RulesetInput>): string[] {
  const text = rulesetText({ ...input, ...changes });
  const [, body = ''] =
    new RegExp(`chain ${name} \\{\n([^}]*(?:\\{[^}]*\\}[^}]*)*)\n  \\}`).exec(text) ?? [];
  return body.split('\n').map((line) => line.trim());
}

it('replaces its table in one transaction and names no other', () => {
  const text = rulesetText(input);
  expect(text.split('\n').slice(0, 3)).toEqual([
    'table inet longshore_abc123',
    'delete table inet longshore_abc123',
    'table inet longshore_abc123 {',
  ]);
  expect(text.match(/^table /gm)).toHaveLength(2);
});

it('judges only packets of its own devices', () => {
  for (const name of ['spoofed', 'leaving', 'arriving']) {
    expect(chain(name, {})[1]).toBe('iifname != "lsabc123*" accept');
  }
});

describe('ports of the host', () => {
  const dns = 'meta l4proto { tcp, udp } th dport 53 accept';
  const resolvers = [`ip daddr @resolvers ${dns}`, `ip6 daddr @resolvers6 ${dns}`];
  const registries = [
    'ip saddr @builders meta l4proto tcp ct original ip daddr . ct original proto-dst @registries accept',
    'ip6 saddr @builders6 meta l4proto tcp ct original ip6 daddr . ct original proto-dst @registries6 accept',
  ];
  it.each([
    [
      '127.0.0.1',
      [
        'ip daddr 10.213.0.1 tcp dport { 8080, 8443 } accept',
        'ip daddr 127.0.0.1 tcp dport { 8080, 8443 } accept',
      ],
    ],
    [
      '192.168.1.5',
      [
        'ip daddr 10.213.0.1 tcp dport { 8080, 8443 } accept',
        'ip daddr 192.168.1.5 tcp dport { 8080, 8443 } accept',
      ],
    ],
    ['0.0.0.0', ['meta nfproto ipv4 fib daddr type local tcp dport { 8080, 8443 } accept']],
    ['::', ['fib daddr type local tcp dport { 8080, 8443 } accept']],
    ['2001:db8::5', ['ip6 daddr 2001:db8::5 tcp dport { 8080, 8443 } accept']],
  ])('are those of the edge on %s', (host, rules) => {
    const edge = { host, ports: [8080, 8443] };
    expect(chain('host', { edge })).toEqual([...resolvers, ...rules, ...registries, 'goto refuse']);
  });

  it('are none without an edge', () => {
    const edge = { host: '0.0.0.0', ports: [] };
    expect(chain('host', { edge })).toEqual([...resolvers, ...registries, 'goto refuse']);
  });

  it('are reached at the gateway if they belong to one address', () => {
    const local = { nameservers: ['10.213.0.1'], forwardTo: '127.0.0.53' };
    expect(chain('rewritten', { resolvers: local }).slice(1)).toEqual([
      'iifname "lsabc123*" ip daddr 10.213.0.1 meta l4proto { tcp, udp } th dport 53 dnat ip to 127.0.0.53',
      'iifname "lsabc123*" ip daddr 10.213.0.1 tcp dport { 8080, 8443 } dnat ip to 127.0.0.1',
    ]);
    const edge = { host: '0.0.0.0', ports: [8080] };
    expect(chain('rewritten', { edge }).slice(1)).toEqual(['']);
  });
});

it('checks allowed networks after what is never allowed, and before private networks', () => {
  const rules = chain('destination', { allowedNetworks: ['192.168.1.0/24', 'fd77::/64'] });
  const order = [
    'ip daddr 10.213.0.0/16 goto project',
    'ip daddr @never goto refuse',
    'ip6 daddr @never6 goto refuse',
    'ip daddr 192.168.1.0/24 accept',
    'ip6 daddr fd77::/64 accept',
    'ip daddr @private goto refuse',
    'accept',
  ];
  expect(rules.filter((rule) => order.includes(rule))).toEqual(order);
});

describe('builders', () => {
  const forwarded = { ...input.builders, forwardedPorts: [5000, 5001] };

  it('reach forwarded ports at the gateway, and apps do not', () => {
    expect(chain('host', { builders: forwarded })).toContain(
      'ip saddr @builders ip daddr { 10.213.0.1, 127.0.0.1 } tcp dport { 5000, 5001 } accept',
    );
    expect(chain('rewritten', { builders: forwarded })).toContain(
      'iifname "lsabc123*" ip daddr 10.213.0.1 ip saddr @builders tcp dport { 5000, 5001 } dnat ip to 127.0.0.1',
    );
  });

  it('reach registries by address and port', () => {
    const registries = [
      { address: '10.0.0.5', port: 5000 },
      { address: 'fd77::5', port: 443 },
    ];
    const text = rulesetText({ ...input, builders: { ...input.builders, registries } });
    expect(text).toContain(
      'set registries { type ipv4_addr . inet_service; elements = { 10.0.0.5 . 5000 }; }',
    );
    expect(text).toContain(
      'set registries6 { type ipv6_addr . inet_service; elements = { fd77::5 . 443 }; }',
    );
  });

  it.each([true, false])('reach private networks: %s', (reachesPrivateNetworks) => {
    const rules = chain('destination', { builders: { ...forwarded, reachesPrivateNetworks } });
    const never = rules.indexOf('ip6 daddr @never6 goto refuse');
    const builders = rules.indexOf('ip saddr @builders accept');
    expect(builders).toBe(
      reachesPrivateNetworks ? rules.indexOf('ip daddr @private goto refuse') - 2 : -1,
    );
    if (reachesPrivateNetworks) expect(builders).toBeGreaterThan(never);
  });

  it('are members of their own sets', () => {
    const text = rulesetText({ ...input, members: [one, { ...two, isBuilder: true }] });
    expect(text).toContain('set builders { type ipv4_addr; elements = { 10.213.0.3 }; }');
    expect(text).toContain(
      'set builders6 { type ipv6_addr; elements = { fd5c:9a27:e1b4:213::ad5:3 }; }',
    );
  });
});

it('knows devices, addresses and projects of its members', () => {
  const text = rulesetText({ ...input, members: [one, two] });
  for (const set of [
    'set sources { type ifname . ipv4_addr; elements = { "lsabc1230000001" . 10.213.0.2, "lsabc1230000002" . 10.213.0.3 }; }',
    'set sources6 { type ifname . ipv6_addr; elements = { "lsabc1230000002" . fd5c:9a27:e1b4:213::ad5:3 }; }',
    'map projects { type ipv4_addr : mark; elements = { 10.213.0.2 : 1, 10.213.0.3 : 2 }; }',
    'set members { type ipv4_addr . mark; elements = { 10.213.0.2 . 1, 10.213.0.3 . 2 }; }',
  ]) {
    expect(text).toContain(set);
  }
});

it('changes members in one transaction', () => {
  const table = 'element inet longshore_abc123';
  expect(memberChangeText('abc123', { removed: [one], added: [] })).toBe(
    `delete ${table} sources { "lsabc1230000001" . 10.213.0.2 }\n` +
      `delete ${table} addresses { 10.213.0.2 }\n` +
      `delete ${table} projects { 10.213.0.2 : 1 }\n` +
      `delete ${table} members { 10.213.0.2 . 1 }\n`,
  );
  expect(memberChangeText('abc123', { removed: [one], added: [two] })).toContain(
    `add ${table} projects6 { fd5c:9a27:e1b4:213::ad5:3 : 2 }\n`,
  );
});
