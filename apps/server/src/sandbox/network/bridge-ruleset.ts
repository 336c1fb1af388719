import { type AppNetwork, gatewayOf, IPV6_NETWORK, networkText } from './addresses.ts';
import { devicePrefix } from './devices.ts';
import {
  COUNT_CONNECTIONS,
  collection,
  destinationRules,
  destinationSets,
  type Edge,
  edgeRewriteRules,
  edgeRules,
  familyOf,
  indent,
  REFUSE_CHAIN,
  REPLIES,
  TO_RESOLVERS,
} from './rule-parts.ts';
import { tableName } from './ruleset.ts';

/** The bridge of a project, to which its containers are connected. */
export type Bridge = {
  device: string;
  /** The gateway is the address of the bridge itself. */
  networks: { subnet: string; gateway: string }[];
};

export type BridgeRulesetInput = {
  installation: string;
  /** The network of programs in the sandbox, which containers do not reach. */
  network: AppNetwork;
  allowedNetworks: string[];
  edge: Edge;
  nameservers: string[];
  /** At least one. */
  bridges: Bridge[];
};

export function bridgeTableName(installation: string): string {
  return `${tableName(installation)}_bridges`;
}

/** Without them no address of the same network is found over IPv6. Their sources are link-local, and they go no further. */
const NEIGHBOURS =
  'icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert, mld-listener-report, mld-listener-done, mld2-listener-report } accept';

/**
 * The rules of containers, in a table of their own. It judges packets from and to the bridges, also those between containers of
 * one bridge, which arrive here where the kernel passes bridged packets to the firewall (`br_netfilter`). Docker's own rules
 * still apply: `accept` ends this table only.
 */
export function bridgeRulesetText(input: BridgeRulesetInput): string {
  const table = `table inet ${bridgeTableName(input.installation)}`;
  return `${table}
delete ${table}
${table} {
${[...destinationSets(input.nameservers), ...bridgeSets(input)].join('\n')}

  ${REFUSE_CHAIN}

  # Ports of this machine, before and after their address was rewritten.
  chain host {
${indent([...TO_RESOLVERS, ...edgeRules(input.edge, '@gateways')])}
    goto refuse
  }

  # Every address beyond the own bridge.
  chain destination {
    ip daddr @networks goto refuse
    ip6 daddr @networks6 goto refuse
${indent(destinationRules(input.allowedNetworks))}
  }

  chain spoofed {
    type filter hook prerouting priority raw; policy accept;
    iifname != @bridges accept
    ${NEIGHBOURS}
    meta nfproto ipv4 iifname . ip saddr != @projects drop
    meta nfproto ipv6 iifname . ip6 saddr != @projects6 drop
    ip daddr 127.0.0.0/8 drop
  }

  # Before other tables rewrite the address, such as published ports of containers.
  chain leaving {
    type filter hook prerouting priority mangle; policy accept;
    iifname != @bridges accept
    ${NEIGHBOURS}
    iifname . ip daddr @projects fib daddr type unicast accept
    iifname . ip6 daddr @projects6 fib daddr type unicast accept
    # For the own bridge. What the machine receives of it is refused below.
    fib daddr type { broadcast, multicast } accept
    ct state invalid drop
    ${REPLIES} accept
${indent(COUNT_CONNECTIONS)}
    fib daddr type local goto host
    fib daddr type != unicast goto refuse
    goto destination
  }

  chain rewritten {
    type nat hook prerouting priority dstnat - 5; policy accept;
${indent(edgeRewriteRules(input.edge, 'iifname @bridges ip daddr @gateways'))}
  }

  chain arriving {
    type filter hook input priority filter; policy accept;
    iifname != @bridges accept
    ${NEIGHBOURS}
    ${REPLIES} accept
    goto host
  }

  # Ports that the operator published lead to containers of the operator, also if they are connected to the bridge.
  chain passing {
    type filter hook forward priority filter; policy accept;
    iifname . oifname @pairs accept
    iifname @bridges ${REPLIES} accept
    iifname @bridges goto destination
    oifname != @bridges accept
    ${REPLIES} accept
    ct status dnat accept
    iifname "${devicePrefix(input.installation)}*" goto refuse
    drop
  }
}
`;
}

function bridgeSets({ bridges, network }: BridgeRulesetInput): string[] {
  const devices = bridges.map(({ device }) => `"${device}"`);
  const networks = bridges.flatMap(({ device, networks }) =>
    networks.map((it) => ({ ...it, device })),
  );
  const of = (family: 'ip' | 'ip6') => networks.filter(({ subnet }) => familyOf(subnet) === family);
  const subnetsOf = (family: 'ip' | 'ip6') => of(family).map(({ subnet }) => subnet);
  const projectsOf = (family: 'ip' | 'ip6') =>
    of(family).map(({ device, subnet }) => `"${device}" . ${subnet}`);
  return [
    collection('set bridges', 'ifname', devices),
    collection(
      'set pairs',
      'ifname . ifname',
      devices.map((device) => `${device} . ${device}`),
    ),
    collection('set projects', 'ifname . ipv4_addr; flags interval', projectsOf('ip')),
    collection('set projects6', 'ifname . ipv6_addr; flags interval', projectsOf('ip6')),
    collection('set networks', 'ipv4_addr; flags interval; auto-merge', [
      networkText(network),
      ...subnetsOf('ip'),
    ]),
    collection('set networks6', 'ipv6_addr; flags interval; auto-merge', [
      IPV6_NETWORK,
      ...subnetsOf('ip6'),
    ]),
    collection('set gateways', 'ipv4_addr', [
      gatewayOf(network),
      ...of('ip').map(({ gateway }) => gateway),
    ]),
  ];
}
