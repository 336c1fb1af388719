import { BlockList, isIPv4 } from 'node:net';
import {
  NEVER_ALLOWED,
  NEVER_ALLOWED_6,
  PRIVATE,
  PRIVATE_6,
} from '../../sandbox/network/rule-parts.ts';
import { internalService } from './manifests.ts';
import { LABELS, namespaceOf, type Ownership } from './ownership.ts';

/** Where the connections of the server and the edge come from. `ports`: of the edge, which apps may connect to. */
export type Gateway = { ports: number[] } & (
  | { kind: 'pods'; namespace: string }
  | { kind: 'addresses'; addresses: string[] }
);

export type ProjectNetwork = {
  gateway: Gateway;
  /** Private networks that the operator allows. */
  allowedNetworks: string[];
};

/** The label of the chart on pods of Longshore itself. */
const COMPONENT = 'app.kubernetes.io/component';
const DNS_PORT = 53;
/** NodeLocal DNSCache, a part of many clusters. */
const NODE_DNS = '169.254.20.10/32';

/**
 * Protects the cluster from a fault of ours, not from users: their memory, processors and apps are limited before a pod is created.
 * Nothing in a project gets an address or a disk of the cluster.
 */
const QUOTA = {
  pods: '500',
  services: '5',
  'services.loadbalancers': '0',
  'services.nodeports': '0',
  persistentvolumeclaims: '0',
  'count/deployments.apps': '500',
  'count/secrets': '1000',
  'count/configmaps': '2000',
};

/** For a container without limits of its own: the smallest size. */
const DEFAULT_LIMITS = { cpu: '500m', memory: '512Mi' };
const DEFAULT_REQUESTS = { cpu: '50m', memory: '512Mi' };

/** What the namespace of each project has. */
export function projectObjects(projectId: string, owner: Ownership, network: ProjectNetwork) {
  const metadataOf = (name: string) => ({
    name,
    namespace: namespaceOf(owner, projectId),
    labels: { [LABELS.installation]: owner.installation, [LABELS.project]: projectId },
  });
  return [
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: metadataOf('project'),
      spec: networkPolicy(network),
    },
    {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: metadataOf('project'),
      spec: { hard: QUOTA },
    },
    {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: metadataOf('project'),
      spec: {
        limits: [{ type: 'Container', default: DEFAULT_LIMITS, defaultRequest: DEFAULT_REQUESTS }],
      },
    },
    internalService(projectId, owner),
  ];
}

/** Everything else is refused. Nodes always reach the pods that they run. */
function networkPolicy({ gateway, allowedNetworks }: ProjectNetwork) {
  const sameProject = { podSelector: {} };
  const peers = gatewayPeers(gateway);
  return {
    podSelector: {},
    policyTypes: ['Ingress', 'Egress'],
    ingress: [{ from: [sameProject, ...peers] }],
    egress: [
      { to: [sameProject] },
      dnsEgress(),
      ...(peers.length === 0
        ? []
        : [{ to: peers, ports: gateway.ports.map((port) => ({ protocol: 'TCP', port })) }]),
      publicEgress(allowedNetworks),
    ],
  };
}

export function dnsEgress() {
  const ports = ['UDP', 'TCP'].map((protocol) => ({ protocol, port: DNS_PORT }));
  return { to: [dnsPods(), { ipBlock: { cidr: NODE_DNS } }], ports };
}

const PUBLIC = [
  blockOf('0.0.0.0/0', [...NEVER_ALLOWED, ...PRIVATE]),
  blockOf('::/0', [...NEVER_ALLOWED_6, ...PRIVATE_6]),
];

/** Public addresses, and these private networks. */
export function publicEgress(allowedNetworks: string[]) {
  return {
    to: [
      ...PUBLIC,
      ...allowedNetworks
        .map(toCidr)
        .filter((network) => !neverAllowed(network))
        .map((network) => blockOf(network, [...NEVER_ALLOWED, ...NEVER_ALLOWED_6])),
    ],
  };
}

function gatewayPeers(gateway: Gateway) {
  if (gateway.kind === 'addresses') {
    return gateway.addresses.map((address) => ({ ipBlock: { cidr: toCidr(address) } }));
  }
  return [
    {
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': gateway.namespace } },
      podSelector: {
        matchExpressions: [{ key: COMPONENT, operator: 'In', values: ['server', 'edge'] }],
      },
    },
  ];
}

/** Clusters run DNS in namespaces with various names. Those of apps have our label. */
function dnsPods() {
  const isNotOurs = { key: LABELS.installation, operator: 'DoesNotExist' };
  return { namespaceSelector: { matchExpressions: [isNotOurs] } };
}

function blockOf(cidr: string, refused: string[]) {
  const except = refused.map(toCidr).filter((network) => isInside(network, cidr));
  return { ipBlock: { cidr, ...(except.length === 0 ? {} : { except }) } };
}

function neverAllowed(network: string): boolean {
  return [...NEVER_ALLOWED, ...NEVER_ALLOWED_6]
    .map(toCidr)
    .some((other) => other === network || isInside(network, other));
}

export function toCidr(network: string): string {
  return network.includes('/') ? network : `${network}/${isIPv4(network) ? 32 : 128}`;
}

/** Kubernetes accepts only exceptions that are smaller than their network, and no IPv4 addresses in IPv6 ones. */
function isInside(network: string, outer: string): boolean {
  const [base = '', bits] = network.split('/');
  const [outerBase = '', outerBits] = outer.split('/');
  if (isIPv4(base) !== isIPv4(outerBase) || base.startsWith('::ffff:')) return false;
  const family = isIPv4(base) ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(outerBase, Number(outerBits), family);
  return Number(bits) > Number(outerBits) && list.check(base, family);
}
