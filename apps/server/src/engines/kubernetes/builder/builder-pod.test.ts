import { expect, it } from 'vitest';
import { LOST_NODE_TOLERATIONS } from '../manifests.ts';
import { BUILDER_LABEL, builderPod, builderQuery } from './builder-pod.ts';

const OWNER = { installation: 'one', prefix: 'longshore' };
const SETTINGS = {
  image: 'moby/buildkit:rootless',
  registries: { registry: undefined, mirror: undefined },
  limits: {
    buildMemoryBytes: 2 * 1024 ** 3,
    buildCpus: 2,
    buildSteps: 4,
    builderDiskBytes: 20 * 1024 ** 3,
  },
};

const pod = builderPod({ ownerId: 'ada', number: 1 }, SETTINGS, OWNER);
const [container] = pod.spec.containers;

it('is in the namespace of its owner, and not among the pods of apps', () => {
  expect(pod.metadata).toEqual({
    generateName: 'builder-1-',
    namespace: 'longshore-build-ada',
    labels: {
      [BUILDER_LABEL]: 'one',
      'dev.longshore/builder-place': '1',
      'dev.longshore/owner': 'ada',
    },
  });
});

it.each([
  [{ number: 1 }, `${BUILDER_LABEL}=one,dev.longshore/builder-place=1`],
  [undefined, `${BUILDER_LABEL}=one`],
])('is found by its place %j', (slot, labelSelector) => {
  expect(builderQuery(OWNER, slot)).toEqual({ labelSelector });
});

it('leaves a lost node as soon as apps do, and ends without a server', () => {
  expect(pod.spec).toMatchObject({
    tolerations: LOST_NODE_TOLERATIONS,
    activeDeadlineSeconds: 86_400,
  });
});

it('gets the size of a build and a limited disk', () => {
  expect(container?.resources).toEqual({
    requests: { cpu: '200m', memory: String(2 * 1024 ** 3) },
    limits: { cpu: '2000m', memory: String(2 * 1024 ** 3) },
  });
  expect(pod.spec.volumes).toEqual([
    { name: 'cache', emptyDir: { sizeLimit: String(20 * 1024 ** 3) } },
  ]);
});

it('has no account, no port, and nothing of the node', () => {
  expect(pod.spec).toMatchObject({ automountServiceAccountToken: false, restartPolicy: 'Never' });
  expect(container?.securityContext).toMatchObject({
    privileged: false,
    capabilities: { add: ['SYS_ADMIN'] },
  });
  expect(JSON.stringify(pod)).not.toMatch(/hostPath|hostNetwork|hostPID|hostPort|containerPort/);
});
