import { isIPv4 } from 'node:net';

/** Where the edge listens: an address or all of them (0.0.0.0, ::). */
export type Edge = { host: string; ports: number[] };

/** Link-local addresses hold the metadata services of clouds. No setting allows these. */
export const NEVER_ALLOWED = [
  '169.254.0.0/16',
  '127.0.0.0/8',
  '0.0.0.0/8',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
export const NEVER_ALLOWED_6 = ['fe80::/10', 'fd00:ec2::254', 'ff00::/8', '::/96', '::ffff:0:0/96'];

/** Allowed if the operator says so. Networks for documentation are absent: they lead nowhere, or where the operator routes them. */
export const PRIVATE = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
];

/** The last ones embed an IPv4 address, which could be a private one: NAT64, Teredo, 6to4. */
export const PRIVATE_6 = [
  'fc00::/7',
  'fec0::/10',
  '100::/64',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2001::/32',
  '2002::/16',
];

/** Packets of connections that the other side opened. */
export const REPLIES = 'ct direction reply ct state established,related';
export const DNS = 'meta l4proto { tcp, udp } th dport 53';

/** Connections that one program may have open. The connection table of the kernel is shared by the whole machine. */
const MAX_CONNECTIONS = 2_000;

export const COUNT_CONNECTIONS = [
  `ct state new add @connections { ip saddr ct count over ${MAX_CONNECTIONS} } goto refuse`,
  `ct state new add @connections6 { ip6 saddr ct count over ${MAX_CONNECTIONS} } goto refuse`,
];

/** Refuses at once instead of letting the program wait. */
export const REFUSE_CHAIN = `chain refuse {
    meta l4proto tcp reject with tcp reset
    reject with icmpx type admin-prohibited
  }`;

/** The sets that `destinationRules` and `COUNT_CONNECTIONS` need. */
export function destinationSets(nameservers: string[]): string[] {
  const of = (family: 'ip' | 'ip6') => nameservers.filter((server) => familyOf(server) === family);
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

export const TO_RESOLVERS = [
  `ip daddr @resolvers ${DNS} accept`,
  `ip6 daddr @resolvers6 ${DNS} accept`,
];

/** Judges addresses that are neither the machine's nor those of apps. `allowed`: rules for private addresses. */
export function destinationRules(allowedNetworks: string[], allowed: string[] = []): string[] {
  return [
    ...TO_RESOLVERS,
    'ip daddr @never goto refuse',
    'ip6 daddr @never6 goto refuse',
    ...allowedNetworks.map((network) => `${familyOf(network)} daddr ${network} accept`),
    ...allowed,
    'ip daddr @private goto refuse',
    'ip6 daddr @private6 goto refuse',
    'accept',
  ];
}

export function collection(name: string, type: string, elements: string[]): string {
  const listed = elements.length === 0 ? '' : ` elements = { ${elements.join(', ')} };`;
  return `  ${name} { type ${type};${listed} }`;
}

export function familyOf(addressOrNetwork: string): 'ip' | 'ip6' {
  return addressOrNetwork.includes(':') ? 'ip6' : 'ip';
}

export function indent(rules: string[]): string {
  return rules.map((rule) => `    ${rule}`).join('\n');
}

/** `gateway`: where programs reach an edge that listens on one IPv4 address, besides that address. An address or `@set`. */
export function edgeRules({ host, ports }: Edge, gateway: string): string[] {
  if (ports.length === 0) return [];
  return edgeAddresses(host, gateway).map((match) => `${match} ${portsRule(ports)} accept`);
}

function edgeAddresses(host: string, gateway: string): string[] {
  if (host === '::') return ['fib daddr type local'];
  if (host === '0.0.0.0') return ['meta nfproto ipv4 fib daddr type local'];
  return isIPv4(host) ? [`ip daddr ${gateway}`, `ip daddr ${host}`] : [`ip6 daddr ${host}`];
}

/** The rewriting for such an edge; `toGateway` matches the packets. */
export function edgeRewriteRules({ host, ports }: Edge, toGateway: string): string[] {
  const isOneAddress = isIPv4(host) && host !== '0.0.0.0' && ports.length > 0;
  return isOneAddress ? [`${toGateway} ${portsRule(ports)} dnat ip to ${host}`] : [];
}

export function portsRule(ports: number[]): string {
  return `tcp dport { ${ports.join(', ')} }`;
}
