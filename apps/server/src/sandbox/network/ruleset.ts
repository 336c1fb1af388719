import { isIPv4 } from 'node:net';
import { type AppNetwork, gatewayOf, IPV6_NETWORK, networkText } from './addresses.ts';
import { devicePrefix } from './devices.ts';
import type { Resolvers } from './resolvers.ts';

/** `project` is a number from 1 on; programs with the same one may connect to each other. */
export type Member = {
  device: string;
  address: string;
  address6?: string | undefined;
  project: number;
};

export type RulesetInput = {
  installation: string;
  network: AppNetwork;
  allowedNetworks: string[];
  /** Where the edge listens: an address or all of them (0.0.0.0, ::). */
  edge: { host: string; ports: number[] };
  resolvers: Resolvers;
  members: Member[];
};

/** Link-local addresses hold the metadata services of clouds. No setting allows these. */
const NEVER_ALLOWED = ['169.254.0.0/16', '127.0.0.0/8', '0.0.0.0/8', '224.0.0.0/4', '240.0.0.0/4'];
const NEVER_ALLOWED_6 = ['fe80::/10', 'fd00:ec2::254', 'ff00::/8', '::/96', '::ffff:0:0/96'];

/** Allowed if the operator says so. Networks for documentation are absent: they lead nowhere, or where the operator routes them. */
const PRIVATE = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
];

/** The last ones embed an IPv4 address, which could be a private one: NAT64, Teredo, 6to4. */
const PRIVATE_6 = [
  'fc00::/7',
  'fec0::/10',
  '100::/64',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2001::/32',
  '2002::/16',
];

/** Packets of connections that the other side opened. */
const REPLIES = 'ct direction reply ct state established,related';
const DNS = 'meta l4proto { tcp, udp } th dport 53';

/** Connections that one program may have open. The connection table of the kernel is shared by the whole machine. */
const MAX_CONNECTIONS = 2_000;

export function tableName(installation: string): string {
  return `longshore_${installation}`;
}

/**
 * Replaces the table of an installation in one transaction. Only packets from and to its own devices are judged; `accept` ends
 * this table only, so other tables still decide.
 */
export function rulesetText(input: RulesetInput): string {
  const table = `table inet ${tableName(input.installation)}`;
  const own = `"${devicePrefix(input.installation)}*"`;
  return `${table}
delete ${table}
${table} {
${[...constantSets(input), ...memberSets(input.members)].join('\n')}

  chain refuse {
    meta l4proto tcp reject with tcp reset
    reject with icmpx type admin-prohibited
  }

  # Ports of this machine, before and after their address was rewritten.
  chain host {
${indent(hostRules(input))}
    goto refuse
  }

  # Every other address. Checked for each packet, so that a recycled address inherits no connection.
  chain destination {
    ip daddr ${networkText(input.network)} goto project
    ip6 daddr ${IPV6_NETWORK} goto project
    ip daddr @resolvers ${DNS} accept
    ip6 daddr @resolvers6 ${DNS} accept
    ip daddr @never goto refuse
    ip6 daddr @never6 goto refuse
${indent(input.allowedNetworks.map((allowed) => `${familyOf(allowed)} daddr ${allowed} accept`))}
    ip daddr @private goto refuse
    ip6 daddr @private6 goto refuse
    accept
  }

  # The mark is only used here. It is removed again because other programs route by it.
  chain project {
    meta mark set 0
    meta mark set ip saddr map @projects
    meta mark set ip6 saddr map @projects6
    ip daddr . meta mark @members meta mark set 0 accept
    ip6 daddr . meta mark @members6 meta mark set 0 accept
    goto refuse
  }

  chain spoofed {
    type filter hook prerouting priority raw; policy accept;
    iifname != ${own} accept
    meta nfproto ipv4 iifname . ip saddr != @sources drop
    meta nfproto ipv6 iifname . ip6 saddr != @sources6 drop
    ip daddr 127.0.0.0/8 drop
  }

  # Before other tables rewrite the address, such as published ports of containers.
  chain leaving {
    type filter hook prerouting priority mangle; policy accept;
    iifname != ${own} accept
    ct state invalid drop
    ${REPLIES} accept
    ct state new add @connections { ip saddr ct count over ${MAX_CONNECTIONS} } goto refuse
    ct state new add @connections6 { ip6 saddr ct count over ${MAX_CONNECTIONS} } goto refuse
    fib daddr type local goto host
    fib daddr type != unicast goto refuse
    goto destination
  }

  chain rewritten {
    type nat hook prerouting priority dstnat - 5; policy accept;
${indent(rewriteRules(input, own))}
  }

  chain arriving {
    type filter hook input priority filter; policy accept;
    iifname != ${own} accept
    ${REPLIES} accept
    goto host
  }

  chain passing {
    type filter hook forward priority filter; policy accept;
    iifname ${own} goto destination
    oifname != ${own} accept
    ${REPLIES} accept
    drop
  }

  chain masked {
    type nat hook postrouting priority srcnat; policy accept;
    oifname ${own} accept
    ip saddr @addresses masquerade
    ip6 saddr @addresses6 masquerade
  }
}
`;
}

function constantSets({ resolvers }: RulesetInput): string[] {
  const of = (family: 'ip' | 'ip6') =>
    resolvers.nameservers.filter((server) => familyOf(server) === family);
  const [networks4, networks6] = ['ipv4_addr; flags interval', 'ipv6_addr; flags interval'];
  const dynamic = 'size 65535; flags dynamic';
  return [
    collection('set resolvers', 'ipv4_addr', of('ip')),
    collection('set resolvers6', 'ipv6_addr', of('ip6')),
    collection('set never', networks4, NEVER_ALLOWED),
    collection('set never6', networks6, NEVER_ALLOWED_6),
    collection('set private', networks4, PRIVATE),
    collection('set private6', networks6, PRIVATE_6),
    collection('set connections', `ipv4_addr; ${dynamic}`, []),
    collection('set connections6', `ipv6_addr; ${dynamic}`, []),
  ];
}

function memberSets(members: Member[]): string[] {
  const elements = memberElements(members);
  return [
    collection('set sources', 'ifname . ipv4_addr', elements.sources),
    collection('set sources6', 'ifname . ipv6_addr', elements.sources6),
    collection('set addresses', 'ipv4_addr', elements.addresses),
    collection('set addresses6', 'ipv6_addr', elements.addresses6),
    collection('map projects', 'ipv4_addr : mark', elements.projects),
    collection('map projects6', 'ipv6_addr : mark', elements.projects6),
    collection('set members', 'ipv4_addr . mark', elements.members),
    collection('set members6', 'ipv6_addr . mark', elements.members6),
  ];
}

/** The elements of each set that depends on the members. */
function memberElements(members: Member[]) {
  const members6 = members.flatMap(({ address6, ...member }) =>
    address6 === undefined ? [] : [{ ...member, address: address6 }],
  );
  return {
    sources: members.map(({ device, address }) => `"${device}" . ${address}`),
    sources6: members6.map(({ device, address }) => `"${device}" . ${address}`),
    addresses: members.map(({ address }) => address),
    addresses6: members6.map(({ address }) => address),
    projects: members.map(({ address, project }) => `${address} : ${project}`),
    projects6: members6.map(({ address, project }) => `${address} : ${project}`),
    members: members.map(({ address, project }) => `${address} . ${project}`),
    members6: members6.map(({ address, project }) => `${address} . ${project}`),
  };
}

function collection(name: string, type: string, elements: string[]): string {
  const listed = elements.length === 0 ? '' : ` elements = { ${elements.join(', ')} };`;
  return `  ${name} { type ${type};${listed} }`;
}

/**
 * Changes the members of a loaded table in one transaction, which costs half of a replacement and keeps the counted connections.
 * Fails if somebody else changed the table.
 */
export function memberChangeText(
  installation: string,
  change: { removed: Member[]; added: Member[] },
): string {
  const commands = (verb: 'delete' | 'add', members: Member[]) =>
    Object.entries(memberElements(members))
      .filter(([, elements]) => elements.length > 0)
      .map(
        ([set, elements]) =>
          `${verb} element inet ${tableName(installation)} ${set} { ${elements.join(', ')} }\n`,
      );
  return [...commands('delete', change.removed), ...commands('add', change.added)].join('');
}

function hostRules({ network, edge, resolvers }: RulesetInput): string[] {
  const gateway = gatewayOf(network);
  const ports = `tcp dport { ${edge.ports.join(', ')} } accept`;
  const dns = `${DNS} accept`;
  const forwardTo = resolvers.forwardTo;
  return [
    `ip daddr @resolvers ${dns}`,
    `ip6 daddr @resolvers6 ${dns}`,
    ...(forwardTo === undefined ? [] : [`ip daddr ${forwardTo} ${dns}`]),
    ...(edge.ports.length === 0 ? [] : edgeAddresses(edge.host, gateway)).map(
      (match) => `${match} ${ports}`,
    ),
  ];
}

function edgeAddresses(host: string, gateway: string): string[] {
  if (host === '::') return ['fib daddr type local'];
  if (host === '0.0.0.0') return ['meta nfproto ipv4 fib daddr type local'];
  return isIPv4(host) ? [`ip daddr { ${gateway}, ${host} }`] : [`ip6 daddr ${host}`];
}

/** An edge on one address is also reachable at the gateway. */
function rewriteRules({ network, edge, resolvers }: RulesetInput, own: string): string[] {
  const toGateway = `iifname ${own} ip daddr ${gatewayOf(network)}`;
  const isOneAddress = isIPv4(edge.host) && edge.host !== '0.0.0.0' && edge.ports.length > 0;
  return [
    ...(resolvers.forwardTo === undefined
      ? []
      : [`${toGateway} ${DNS} dnat ip to ${resolvers.forwardTo}`]),
    ...(isOneAddress
      ? [`${toGateway} tcp dport { ${edge.ports.join(', ')} } dnat ip to ${edge.host}`]
      : []),
  ];
}

function familyOf(addressOrNetwork: string): 'ip' | 'ip6' {
  return addressOrNetwork.includes(':') ? 'ip6' : 'ip';
}

function indent(rules: string[]): string {
  return rules.map((rule) => `    ${rule}`).join('\n');
}
