import { LABELS, type Ownership } from '../ownership.ts';
import { dnsEgress, publicEgress, toCidr } from '../project-objects.ts';
import { type BuilderPodLimits, buildNamespaceOf } from './builder-pod.ts';

/** What builds may reach beside public addresses. */
export type BuildNetwork = {
  /** Private networks that the operator allows. */
  allowedNetworks: string[];
  /** Of the registries of the operator. */
  registries: { address: string; port: number }[];
};

/** The only namespaces that allow what buildkitd needs. */
export function buildNamespaceManifest(ownerId: string, owner: Ownership) {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: buildNamespaceOf(owner, ownerId),
      labels: {
        [LABELS.installation]: owner.installation,
        [LABELS.owner]: ownerId,
        'pod-security.kubernetes.io/enforce': 'privileged',
      },
    },
  };
}

type BuildObjects = { network: BuildNetwork; limits: BuilderPodLimits; maxBuilders: number };

/** What each of these namespaces has. */
export function buildObjects(
  ownerId: string,
  { network, limits, maxBuilders }: BuildObjects,
  owner: Ownership,
) {
  const metadataOf = (name: string) => ({
    name,
    namespace: buildNamespaceOf(owner, ownerId),
    labels: { [LABELS.installation]: owner.installation, [LABELS.owner]: ownerId },
  });
  return [
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: metadataOf('build'),
      spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'], egress: egressOf(network) },
    },
    {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: metadataOf('build'),
      spec: { hard: quotaOf(limits, maxBuilders) },
    },
  ];
}

/** Nothing comes in, and nobody but the API server talks to buildkitd. */
function egressOf({ allowedNetworks, registries }: BuildNetwork) {
  return [
    dnsEgress(),
    publicEgress(allowedNetworks),
    ...registries.map(({ address, port }) => ({
      to: [{ ipBlock: { cidr: toCidr(address) } }],
      ports: [{ protocol: 'TCP', port }],
    })),
  ];
}

/** Twice, because a pod that ends may be there for a moment beside the next one. */
function quotaOf({ buildMemoryBytes, buildCpus }: BuilderPodLimits, maxBuilders: number) {
  const pods = 2 * maxBuilders;
  return {
    pods: String(pods),
    'limits.memory': String(pods * buildMemoryBytes),
    'limits.cpu': String(pods * buildCpus),
    services: '0',
    // One for the cache of each.
    persistentvolumeclaims: String(maxBuilders),
  };
}
