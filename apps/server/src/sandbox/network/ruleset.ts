import { isIPv4 } from 'node:net';
import { type AppNetwork, gatewayOf, IPV6_NETWORK, networkText } from './addresses.ts';
import { devicePrefix } from './devices.ts';
import type { Resolvers } from './resolvers.ts';

export type Member = {
  device: string;
  address: string;
  address6?: string | undefined;
  projectId: string | undefined;
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
${sets(input).join('\n')}

  chain refuse {
    meta l4proto tcp reject with tcp reset
    reject with icmpx type admin-prohibited
  }
${projectChains(input.members).join('\n')}

  # Answers to connections that the host opened. A new connection never counts as an answer.
  chain replies {
    tcp flags & (syn | ack) == syn return
    ct direction reply ct state established,related accept
  }

  # Ports of this machine, before and after their address was rewritten.
  chain host {
${indent(hostRules(input))}
    goto refuse
  }

  # Every other address. Checked for each packet, so that a recycled address inherits no connection.
  chain destination {
    ip daddr ${networkText(input.network)} ip saddr vmap @projects
    ip6 daddr ${IPV6_NETWORK} ip6 saddr vmap @projects6
    ip daddr @resolvers meta l4proto { tcp, udp } th dport 53 accept
    ip6 daddr @resolvers6 meta l4proto { tcp, udp } th dport 53 accept
    ip daddr @never goto refuse
    ip6 daddr @never6 goto refuse
    ip daddr @allowed accept
    ip6 daddr @allowed6 accept
    ip daddr @private goto refuse
    ip6 daddr @private6 goto refuse
    accept
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
    jump replies
    ct state new add @connections { ip saddr ct count over ${MAX_CONNECTIONS} } goto refuse
    ct state new add @connections6 { ip6 saddr ct count over ${MAX_CONNECTIONS} } goto refuse
    fib daddr type local goto host
    fib daddr type != unicast ip daddr != ${networkText(input.network)} goto refuse
    goto destination
  }

  chain rewritten {
    type nat hook prerouting priority dstnat - 5; policy accept;
${indent(rewriteRules(input, own))}
  }

  chain arriving {
    type filter hook input priority filter; policy accept;
    iifname != ${own} accept
    jump replies
    goto host
  }

  chain passing {
    type filter hook forward priority filter; policy accept;
    iifname ${own} goto destination
    oifname != ${own} accept
    ct direction reply ct state established,related accept
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

function sets({ network, allowedNetworks, resolvers, members }: RulesetInput): string[] {
  const members6 = members.flatMap(({ address6, ...member }) =>
    address6 === undefined ? [] : [{ ...member, address: address6 }],
  );
  const isAddress4 = (text: string) => isIPv4(text.split('/')[0] ?? '');
  const chains = projectNumbers(members);
  const jumps = (list: { address: string; projectId: string | undefined }[]) =>
    list.flatMap(({ address, projectId }) =>
      projectId === undefined ? [] : [`${address} : jump project_${chains.get(projectId)}`],
    );
  const source = ({ device, address }: { device: string; address: string }) =>
    `"${device}" . ${address}`;
  const addressOf = ({ address }: { address: string }) => address;
  const networks4 = 'ipv4_addr; flags interval; auto-merge';
  const networks6 = 'ipv6_addr; flags interval; auto-merge';
  const dynamic = 'size 65535; flags dynamic';
  return [
    collection('set sources', 'ifname . ipv4_addr', members.map(source)),
    collection('set sources6', 'ifname . ipv6_addr', members6.map(source)),
    collection('set addresses', 'ipv4_addr', members.map(addressOf)),
    collection('set addresses6', 'ipv6_addr', members6.map(addressOf)),
    collection('map projects', 'ipv4_addr : verdict', jumps(members)),
    collection('map projects6', 'ipv6_addr : verdict', jumps(members6)),
    collection('set resolvers', 'ipv4_addr', resolvers.nameservers.filter(isAddress4)),
    collection(
      'set resolvers6',
      'ipv6_addr',
      resolvers.nameservers.filter((server) => !isAddress4(server)),
    ),
    collection('set never', networks4, [...NEVER_ALLOWED, networkText(network)]),
    collection('set never6', networks6, [...NEVER_ALLOWED_6, IPV6_NETWORK]),
    collection('set allowed', networks4, allowedNetworks.filter(isAddress4)),
    collection(
      'set allowed6',
      networks6,
      allowedNetworks.filter((allowed) => !isAddress4(allowed)),
    ),
    collection('set private', networks4, PRIVATE),
    collection('set private6', networks6, PRIVATE_6),
    collection('set connections', `ipv4_addr; ${dynamic}`, []),
    collection('set connections6', `ipv6_addr; ${dynamic}`, []),
  ];
}

function collection(name: string, type: string, elements: string[]): string {
  const listed = elements.length === 0 ? '' : ` elements = { ${elements.join(', ')} };`;
  return `  ${name} { type ${type};${listed} }`;
}

/** Chains are numbered, so that no identifier from elsewhere is part of the text. */
function projectNumbers(members: Member[]): Map<string, number> {
  const ids = new Set(members.flatMap(({ projectId }) => projectId ?? []));
  return new Map([...ids].map((id, index) => [id, index + 1]));
}

function projectChains(members: Member[]): string[] {
  return [...projectNumbers(members)].map(([id, number]) => {
    const own = members.filter(({ projectId }) => projectId === id);
    const own6 = own.flatMap(({ address6 }) => address6 ?? []);
    const rules = [
      `ip daddr { ${own.map(({ address }) => address).join(', ')} } accept`,
      ...(own6.length === 0 ? [] : [`ip6 daddr { ${own6.join(', ')} } accept`]),
    ];
    return `
  chain project_${number} {
${indent(rules)}
  }`;
  });
}

function hostRules({ network, edge, resolvers }: RulesetInput): string[] {
  const gateway = gatewayOf(network);
  const ports = `tcp dport { ${edge.ports.join(', ')} } accept`;
  const dns = 'meta l4proto { tcp, udp } th dport 53 accept';
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
      : [`${toGateway} meta l4proto { tcp, udp } th dport 53 dnat ip to ${resolvers.forwardTo}`]),
    ...(isOneAddress
      ? [`${toGateway} tcp dport { ${edge.ports.join(', ')} } dnat ip to ${edge.host}`]
      : []),
  ];
}

function indent(rules: string[]): string {
  return rules.map((rule) => `    ${rule}`).join('\n');
}
