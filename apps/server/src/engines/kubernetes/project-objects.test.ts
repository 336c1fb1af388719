import { expect, it } from 'vitest';
import { OWNER } from '../../../test/engines/kubernetes/release-fixture.ts';
import { LABELS } from './ownership.ts';
import { type Gateway, type ProjectNetwork, projectObjects } from './project-objects.ts';

const PODS: Gateway = { kind: 'pods', namespace: 'longshore', ports: [8080, 8443] };
const EVERYTHING = ['0.0.0.0/0', '::/0'];

type Peer = {
  podSelector?: object;
  namespaceSelector?: object;
  ipBlock?: { cidr: string; except?: string[] };
};
type Rule = { from?: Peer[]; to?: Peer[]; ports?: { port: number }[] };
type Policy = { podSelector: object; policyTypes: string[]; ingress: Rule[]; egress: Rule[] };

function policyOf(network: Partial<ProjectNetwork> = {}): Policy {
  const objects = projectObjects('p', OWNER, { gateway: PODS, allowedNetworks: [], ...network });
  return Object(objects.find(({ kind }) => kind === 'NetworkPolicy')).spec;
}

function blocksOf(network: Partial<ProjectNetwork> = {}) {
  const blocks = policyOf(network).egress.flatMap(({ to = [], ports }) =>
    to.flatMap(({ ipBlock }) => (ipBlock === undefined ? [] : [{ ...ipBlock, ports }])),
  );
  return blocks.map(({ cidr, except = [], ports }) => ({ cidr, except, ports }));
}

it('labels every object of a project', () => {
  const objects = projectObjects('p', OWNER, { gateway: PODS, allowedNetworks: [] });
  expect(objects.map(({ kind }) => kind)).toEqual([
    'NetworkPolicy',
    'ResourceQuota',
    'LimitRange',
    'Service',
  ]);
  for (const { metadata } of objects) {
    expect(metadata.namespace).toBe('longshore-p');
    expect(metadata.labels).toEqual({
      [LABELS.installation]: 'installation',
      [LABELS.project]: 'p',
    });
  }
});

it('refuses addresses and disks of the cluster in a project', () => {
  const objects = projectObjects('p', OWNER, { gateway: PODS, allowedNetworks: [] });
  expect(Object(objects.find(({ kind }) => kind === 'ResourceQuota')).spec.hard).toMatchObject({
    'services.loadbalancers': '0',
    'services.nodeports': '0',
    persistentvolumeclaims: '0',
  });
});

it('lets only the project, the server and the edge connect to an app', () => {
  const { podSelector, policyTypes, ingress } = policyOf();
  expect(podSelector).toEqual({});
  expect(policyTypes).toEqual(['Ingress', 'Egress']);
  expect(ingress).toEqual([
    {
      from: [
        { podSelector: {} },
        {
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'longshore' } },
          podSelector: {
            matchExpressions: [
              { key: 'app.kubernetes.io/component', operator: 'In', values: ['server', 'edge'] },
            ],
          },
        },
      ],
    },
  ]);
});

it('lets the addresses of a server outside of the cluster connect, and apps only to its edge', () => {
  const gateway: Gateway = {
    kind: 'addresses',
    addresses: ['10.0.0.5', 'fd00::5'],
    ports: [8080],
  };
  const blocks = [{ ipBlock: { cidr: '10.0.0.5/32' } }, { ipBlock: { cidr: 'fd00::5/128' } }];
  const { ingress, egress } = policyOf({ gateway });
  expect(ingress).toEqual([{ from: [{ podSelector: {} }, ...blocks] }]);
  expect(egress).toContainEqual({ to: blocks, ports: [{ protocol: 'TCP', port: 8080 }] });
});

it.each(['169.254.0.0/16', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '127.0.0.0/8'])(
  'lets apps connect to the internet, but not to %s',
  (network) => {
    const internet = blocksOf().find(({ cidr }) => cidr === '0.0.0.0/0');
    expect(internet?.except).toContain(network);
  },
);

it.each(['fe80::/10', 'fc00::/7', 'fd00:ec2::254/128'])(
  'lets apps connect to the internet over IPv6, but not to %s',
  (network) => {
    expect(blocksOf().find(({ cidr }) => cidr === '::/0')?.except).toContain(network);
  },
);

it('opens only port 53 to pods of the cluster', () => {
  const others = policyOf().egress.filter(({ to = [] }) =>
    to.some(({ namespaceSelector, podSelector }) => namespaceSelector && !podSelector),
  );
  expect(others).toHaveLength(1);
  expect(others[0]?.ports?.map(({ port }) => port)).toEqual([53, 53]);
});

it.each([
  ['10.1.0.0/16', [{ cidr: '10.1.0.0/16', except: [], ports: undefined }]],
  ['10.1.0.7', [{ cidr: '10.1.0.7/32', except: [], ports: undefined }]],
  ['fd12::/16', [{ cidr: 'fd12::/16', except: [], ports: undefined }]],
  ['169.254.169.254/32', []],
  ['169.254.0.0/16', []],
  ['fe80::/16', []],
  ['160.0.0.0/4', [{ cidr: '160.0.0.0/4', except: ['169.254.0.0/16'], ports: undefined }]],
])('with %s allowed by the operator, opens %j', (allowed, expected) => {
  const known = [...EVERYTHING, '169.254.20.10/32'];
  const added = blocksOf({ allowedNetworks: [allowed] }).filter(
    ({ cidr }) => !known.includes(cidr),
  );
  expect(added).toEqual(expected);
});
