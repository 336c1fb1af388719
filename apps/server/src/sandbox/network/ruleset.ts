import { type AppNetwork, gatewayOf, IPV6_NETWORK, networkText } from './addresses.ts';
import { devicePrefix } from './devices.ts';
import type { Resolvers } from './resolvers.ts';
import {
  COUNT_CONNECTIONS,
  collection,
  DNS,
  destinationRules,
  destinationSets,
  type Edge,
  edgeRewriteRules,
  edgeRules,
  familyOf,
  indent,
  portsRule,
  REFUSE_CHAIN,
  REPLIES,
  TO_RESOLVERS,
} from './rule-parts.ts';

/** `project` is a number from 1 on; programs with the same one may connect to each other. */
export type Member = {
  device: string;
  address: string;
  address6?: string | undefined;
  project: number;
  /** Also reaches what `BuilderAccess` allows. */
  isBuilder: boolean;
};

/** What builders reach and apps do not. Link-local and metadata addresses, apps and other builders stay out of reach. */
export type BuilderAccess = {
  reachesPrivateNetworks: boolean;
  /** Ports on 127.0.0.1 of the host that builders reach at the gateway. */
  forwardedPorts: number[];
  /** Registries, also on private networks or on another address of the host. */
  registries: { address: string; port: number }[];
};

export type RulesetInput = {
  installation: string;
  network: AppNetwork;
  allowedNetworks: string[];
  edge: Edge;
  resolvers: Resolvers;
  builders: BuilderAccess;
  members: Member[];
};

const FROM_BUILDERS = ['ip saddr @builders accept', 'ip6 saddr @builders6 accept'];

/** By the address that the builder asked for: a registry on this machine may be a published port of a container. */
const TO_REGISTRIES = [
  'ip saddr @builders meta l4proto tcp ct original ip daddr . ct original proto-dst @registries accept',
  'ip6 saddr @builders6 meta l4proto tcp ct original ip6 daddr . ct original proto-dst @registries6 accept',
];

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

  ${REFUSE_CHAIN}

  # Ports of this machine, before and after their address was rewritten.
  chain host {
${indent(hostRules(input))}
    goto refuse
  }

  # Every other address. Checked for each packet, so that a recycled address inherits no connection.
  chain destination {
    ip daddr ${networkText(input.network)} goto project
    ip6 daddr ${IPV6_NETWORK} goto project
${indent(destinationRules(input.allowedNetworks, builderRules(input.builders)))}
  }

  # The mark is only used here. It is removed again because other programs route by it.
  chain project {
    meta mark set 0
    meta mark set ip saddr map @projects
    meta mark set ip6 saddr map @projects6
    # Every source has a project, but the map of a table that is being replaced seems empty for a moment: the packet is sent again.
    meta mark 0 drop
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
${indent(COUNT_CONNECTIONS)}
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

function builderRules({ reachesPrivateNetworks }: BuilderAccess): string[] {
  return [...TO_REGISTRIES, ...(reachesPrivateNetworks ? FROM_BUILDERS : [])];
}

function constantSets({ resolvers, builders }: RulesetInput): string[] {
  const registriesOf = (family: 'ip' | 'ip6') =>
    builders.registries
      .filter(({ address }) => familyOf(address) === family)
      .map(({ address, port }) => `${address} . ${port}`);
  return [
    ...destinationSets(resolvers.nameservers),
    collection('set registries', 'ipv4_addr . inet_service', registriesOf('ip')),
    collection('set registries6', 'ipv6_addr . inet_service', registriesOf('ip6')),
  ];
}

function memberSets(members: Member[]): string[] {
  const elements = memberElements(members);
  return [
    collection('set sources', 'ifname . ipv4_addr', elements.sources),
    collection('set sources6', 'ifname . ipv6_addr', elements.sources6),
    collection('set addresses', 'ipv4_addr', elements.addresses),
    collection('set addresses6', 'ipv6_addr', elements.addresses6),
    collection('set builders', 'ipv4_addr', elements.builders),
    collection('set builders6', 'ipv6_addr', elements.builders6),
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
    builders: members.filter(isBuilder).map(({ address }) => address),
    builders6: members6.filter(isBuilder).map(({ address }) => address),
    projects: members.map(({ address, project }) => `${address} : ${project}`),
    projects6: members6.map(({ address, project }) => `${address} : ${project}`),
    members: members.map(({ address, project }) => `${address} . ${project}`),
    members6: members6.map(({ address, project }) => `${address} . ${project}`),
  };
}

function isBuilder(member: Member): boolean {
  return member.isBuilder;
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

function hostRules({ network, edge, resolvers, builders }: RulesetInput): string[] {
  const gateway = gatewayOf(network);
  const { forwardTo } = resolvers;
  const forwarded = portsRule(builders.forwardedPorts);
  return [
    ...TO_RESOLVERS,
    ...(forwardTo === undefined ? [] : [`ip daddr ${forwardTo} ${DNS} accept`]),
    ...edgeRules(edge, gateway),
    ...(builders.forwardedPorts.length === 0
      ? []
      : [`ip saddr @builders ip daddr { ${gateway}, 127.0.0.1 } ${forwarded} accept`]),
    ...TO_REGISTRIES,
  ];
}

/** What listens on one address is also reachable at the gateway. */
function rewriteRules({ network, edge, resolvers, builders }: RulesetInput, own: string): string[] {
  const toGateway = `iifname ${own} ip daddr ${gatewayOf(network)}`;
  const { forwardTo } = resolvers;
  const forwarded = portsRule(builders.forwardedPorts);
  return [
    ...(forwardTo === undefined ? [] : [`${toGateway} ${DNS} dnat ip to ${forwardTo}`]),
    ...edgeRewriteRules(edge, toGateway),
    ...(builders.forwardedPorts.length === 0
      ? []
      : [`${toGateway} ip saddr @builders ${forwarded} dnat ip to 127.0.0.1`]),
  ];
}
