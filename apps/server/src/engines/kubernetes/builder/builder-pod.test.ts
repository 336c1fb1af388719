import { expect, it } from 'vitest';
import { BUILDER_LABEL, builderPod } from './builder-pod.ts';

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
    name: 'builder-1',
    namespace: 'longshore-build-ada',
    labels: { [BUILDER_LABEL]: 'one', 'dev.longshore/owner': 'ada' },
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
