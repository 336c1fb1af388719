import { expect, it } from 'vitest';
import { registryEndpoints } from './build-namespaces.ts';
import { buildNamespaceManifest, buildObjects } from './build-objects.ts';

const OWNER = { installation: 'one', prefix: 'longshore' };
const LIMITS = { buildMemoryBytes: 1_000, buildCpus: 2, buildSteps: 4, builderDiskBytes: 1 };

function objectsWith(network: Parameters<typeof buildObjects>[1]['network']) {
  const [policy, quota] = buildObjects('ada', { network, limits: LIMITS, maxBuilders: 2 }, OWNER);
  return { policy: JSON.parse(JSON.stringify(policy)), quota };
}

it('allows in the namespace of builds what buildkitd needs', () => {
  expect(buildNamespaceManifest('ada', OWNER).metadata).toEqual({
    name: 'longshore-build-ada',
    labels: {
      'dev.longshore/installation': 'one',
      'dev.longshore/owner': 'ada',
      'pod-security.kubernetes.io/enforce': 'privileged',
    },
  });
});

it.each([[[]], [['10.0.0.0/8', '169.254.169.254']]])(
  'lets nothing in, and builds reach no metadata service (allowed: %j)',
  (allowedNetworks) => {
    const { policy } = objectsWith({ allowedNetworks, registries: [] });
    expect(policy.spec).toMatchObject({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
    expect(policy.spec.ingress).toBeUndefined();
    const [, { to }] = policy.spec.egress;
    expect(to[0].ipBlock.except).toEqual(expect.arrayContaining(['169.254.0.0/16', '10.0.0.0/8']));
    const others = to.slice(2).map(({ ipBlock }: { ipBlock: { cidr: string } }) => ipBlock.cidr);
    expect(others).toEqual(allowedNetworks.filter((network) => network === '10.0.0.0/8'));
  },
);

it('lets builds reach the registries of the operator', () => {
  const registries = [
    { address: '10.0.0.7', port: 5000 },
    { address: 'fd00::7', port: 443 },
  ];
  const { policy } = objectsWith({ allowedNetworks: [], registries });
  expect(policy.spec.egress.slice(2)).toEqual([
    {
      to: [{ ipBlock: { cidr: '10.0.0.7/32' } }],
      ports: [{ protocol: 'TCP', port: 5000 }],
    },
    { to: [{ ipBlock: { cidr: 'fd00::7/128' } }], ports: [{ protocol: 'TCP', port: 443 }] },
  ]);
});

it('limits pods to the builds at once, and what they use together', () => {
  const { quota } = objectsWith({ allowedNetworks: [], registries: [] });
  expect(quota?.spec).toMatchObject({
    hard: {
      ...{ pods: '4', 'limits.memory': '4000', 'limits.cpu': '8' },
      persistentvolumeclaims: '2',
    },
  });
});

it('finds the addresses of the registries of the operator', () => {
  expect(
    registryEndpoints({
      registry: { host: 'registry.example.com', path: 'team', isInsecure: false },
      mirror: { host: '[fd00::7]:5000', isPlainHttp: true },
    }),
  ).toEqual([
    { host: 'registry.example.com', port: 443 },
    { host: 'fd00::7', port: 5000 },
  ]);
});
