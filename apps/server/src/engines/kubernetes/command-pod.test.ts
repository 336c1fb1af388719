import { describe, expect, it } from 'vitest';
import { OWNER, SPEC } from '../../../test/engines/kubernetes/release-fixture.ts';
import { commandPodManifest } from './command-pod.ts';
import { COMMAND_LABELS, LABELS } from './ownership.ts';

const RUN = { command: 'node migrate.js $PORT' };

function podOf({ id = 'release', appId = 'app' } = {}, isPrivate = false) {
  return commandPodManifest(
    {
      spec: { ...SPEC, appId, run: RUN },
      command: { id, text: 'node migrate.js', logName: 'log', timeoutMs: 1_000 },
      image: 'docker.io/library/shop@sha256:1',
      graceSeconds: 10,
      isPrivate,
      deadlineSeconds: 100,
    },
    OWNER,
  );
}

describe('the pod of a command', () => {
  it('has the size and the command, and no port and no private name', () => {
    const { spec } = podOf();
    expect(spec.containers).toMatchObject([
      { command: ['node', 'migrate.js', '8080'], resources: { limits: { memory: '536870912' } } },
    ]);
    expect(spec.containers[0]).not.toHaveProperty('readinessProbe');
    expect(spec.containers[0]).not.toHaveProperty('ports');
    expect(spec).not.toHaveProperty('hostname');
    expect(spec).not.toHaveProperty('subdomain');
  });

  it('is no instance: lists of those ask for a label that it lacks', () => {
    const { labels } = podOf().metadata;
    expect(labels).not.toHaveProperty([LABELS.installation]);
    expect(labels).toMatchObject({
      [COMMAND_LABELS.installation]: 'installation',
      [LABELS.app]: 'app',
    });
  });

  it('runs once, ends at its deadline without a server, and waits for its Secrets', () => {
    expect(podOf().spec).toMatchObject({
      restartPolicy: 'Never',
      activeDeadlineSeconds: 100,
      schedulingGates: [{ name: 'dev.longshore/secrets' }],
    });
  });

  it('contains no variable: those are in a Secret of its name', () => {
    const pod = podOf({}, true);
    const { name } = pod.metadata;
    expect(JSON.stringify(pod)).not.toContain('red');
    expect(pod.spec.containers).toMatchObject([{ envFrom: [{ secretRef: { name } }] }]);
    expect(pod.spec).toMatchObject({ imagePullSecrets: [{ name: `${name}-pull` }] });
  });

  it('has the same name for the same command of an app only', () => {
    const { name } = podOf().metadata;
    expect(name).toMatch(/^shop-command-[0-9a-f]{8}$/);
    expect(podOf().metadata.name).toBe(name);
    expect(podOf({ id: 'run-1' }).metadata.name).not.toBe(name);
    expect(podOf({ appId: 'other' }).metadata.name).not.toBe(name);
  });
});
