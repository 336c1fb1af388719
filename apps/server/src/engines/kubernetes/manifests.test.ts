import { describe, expect, it } from 'vitest';
import { OWNER, SPEC } from '../../../test/engines/kubernetes/release-fixture.ts';
import { Secret } from '../../secrets/secret.ts';
import type { ReleaseSpec } from '../engine.ts';
import {
  deploymentManifest,
  disruptionBudget,
  namespaceManifest,
  secretManifests,
} from './manifests.ts';
import { LABELS, requireOwnNamespace } from './ownership.ts';

const IMAGE = 'docker.io/library/shop@sha256:1';

function deploymentOf(changes: Partial<ReleaseSpec> = {}, isPrivate = false) {
  const spec = { ...SPEC, ...changes };
  return deploymentManifest({ spec, image: IMAGE, graceSeconds: 10, isPrivate }, OWNER);
}

function podOf(changes: Partial<ReleaseSpec> = {}) {
  return deploymentOf(changes).spec.template.spec;
}

describe('the Deployment of a release', () => {
  it('is named after its app and release, and labelled', () => {
    const { metadata, spec } = deploymentOf();
    expect(metadata.name).toMatch(/^shop-3-[0-9a-f]{8}$/);
    expect(metadata.namespace).toBe('longshore-project');
    expect(metadata.labels).toMatchObject({
      [LABELS.installation]: 'installation',
      [LABELS.app]: 'app',
      [LABELS.release]: '3',
    });
    expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
  });

  it('requests memory and a part of the processors, and limits both', () => {
    expect(podOf().containers[0]?.resources).toEqual({
      requests: { cpu: '50m', memory: '536870912' },
      limits: { cpu: '500m', memory: '536870912' },
    });
  });

  it('has no access to the cluster and no privileges', () => {
    expect(podOf()).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
      containers: [{ securityContext: { allowPrivilegeEscalation: false, privileged: false } }],
    });
  });

  it('contains no variable: those are in a Secret', () => {
    expect(JSON.stringify(deploymentOf())).not.toContain('red');
  });

  it('is another one for another name, and the same for other variables', () => {
    const { name } = deploymentOf().metadata;
    expect(deploymentOf({ env: {} }).metadata.name).toBe(name);
    expect(deploymentOf({ name: 'store' }).metadata.name).not.toBe(name);
    expect(deploymentOf({ run: { stopGraceSeconds: 60 } }).metadata.name).not.toBe(name);
  });

  it.each([
    [undefined, undefined],
    ['node server.js', ['node', 'server.js']],
    ['echo $(date) && node server.js', ['/bin/sh', '-c', 'echo $$(date) && node server.js']],
  ])('starts the command %s as %j', (command, expected) => {
    const pod = podOf(command === undefined ? {} : { run: { command } });
    expect(pod.containers[0]).toEqual(expect.objectContaining({ image: IMAGE }));
    expect(Object(pod.containers[0]).command).toEqual(expected);
  });

  it('is ready when its port accepts connections, or at once without one', () => {
    expect(podOf().containers[0]).toMatchObject({ readinessProbe: { tcpSocket: { port: 8080 } } });
    expect(podOf({ ports: [] }).containers[0]).not.toHaveProperty('readinessProbe');
  });
});

describe('the disruption budget of a Deployment', () => {
  it('covers its pods and no others, and ends with it', () => {
    const { metadata, spec } = deploymentOf();
    const budget = disruptionBudget({ metadata: { ...metadata, uid: 'uid' } });
    expect(budget.spec).toMatchObject({ maxUnavailable: 1, selector: spec.selector });
    expect(budget.metadata.ownerReferences).toMatchObject([{ name: metadata.name, uid: 'uid' }]);
  });

  it.each([
    ['web', {}, 'true'],
    ['another process', { process: 'worker', ports: [] }, undefined],
  ])('of %s counts the pods with the label of routes %j', (_, change, routed) => {
    const { metadata, spec } = deploymentOf(change);
    const { selector } = disruptionBudget({ metadata: { ...metadata, uid: 'uid' } }).spec;
    expect(Object(selector.matchLabels)[LABELS.routed]).toBe(routed);
    // A pod gets it later, so it must not be part of what the Deployment selects.
    expect(spec.selector.matchLabels).not.toHaveProperty([LABELS.routed]);
    expect(spec.template.metadata.labels).not.toHaveProperty([LABELS.routed]);
  });

  it('lets pods that are not ready be evicted', () => {
    const { metadata } = deploymentOf();
    const { spec } = disruptionBudget({ metadata: { ...metadata, uid: 'uid' } });
    expect(spec.unhealthyPodEvictionPolicy).toBe('AlwaysAllow');
  });
});

describe('the Secrets of a Deployment', () => {
  const ownerUid = 'uid';

  it('have its variables, with the configured port, and end with it', () => {
    const [variables, ...others] = secretManifests(deploymentOf(), {
      spec: SPEC,
      ownerUid,
      credential: undefined,
    });
    expect(others).toEqual([]);
    expect(variables?.stringData).toEqual({ HOST: '0.0.0.0', COLOUR: 'red', PORT: '8080' });
    expect(variables?.metadata.ownerReferences).toMatchObject([{ uid: ownerUid }]);
  });

  it('have the access to a private image', () => {
    const credential = {
      name: 'hub',
      host: 'docker.io',
      username: 'ada',
      password: new Secret('pw'),
    };
    const manifest = deploymentOf({}, true);
    const [, pull] = secretManifests(manifest, { spec: SPEC, ownerUid, credential });
    expect(manifest.spec.template.spec).toMatchObject({
      imagePullSecrets: [{ name: pull?.metadata.name }],
    });
    expect(JSON.parse(pull?.stringData['.dockerconfigjson'] ?? '')).toEqual({
      auths: { 'https://index.docker.io/v1/': { auth: Buffer.from('ada:pw').toString('base64') } },
    });
  });
});

describe('a namespace', () => {
  const own = namespaceManifest('project', OWNER);

  it('of this installation is accepted', () => {
    expect(() => requireOwnNamespace(own, OWNER)).not.toThrow();
  });

  it.each([
    ['without a label', { metadata: { name: own.metadata.name } }],
    ['of another installation', namespaceManifest('project', { ...OWNER, installation: 'other' })],
    ['with another prefix', { metadata: { ...own.metadata, name: 'kube-system' } }],
  ])('%s is refused', (_, namespace) => {
    expect(() => requireOwnNamespace(namespace, OWNER)).toThrow('does not belong');
  });
});
