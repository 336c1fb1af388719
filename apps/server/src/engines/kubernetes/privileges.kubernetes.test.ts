import { instanceLogName } from '@longshore/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingForCluster } from '../../../test/engines/kubernetes/cluster.ts';
import {
  createKubernetesBench,
  type KubernetesBench,
  SIGNAL,
} from '../../../test/engines/kubernetes/kubernetes-bench.ts';
import { openAsServer } from '../../../test/engines/kubernetes/server-account.ts';
import type { ReleaseSpec } from '../engine.ts';
import { buildNamespaceManifest } from './builder/build-objects.ts';
import type { KubernetesApi } from './kubernetes-api.ts';
import { createNamespace } from './namespaces.ts';
import type { PreparedKubernetesEngine } from './prepare-engine.ts';

const SERVES = { settings: { Cmd: ['sh', '-c', 'echo ready; exec httpd -f -p $PORT'] } };
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const KINDS = [
  ...[
    'pods',
    'configmaps',
    'secrets',
    'services',
    'serviceaccounts',
    'resourcequotas',
    'limitranges',
  ].map((kind) => `/api/v1/${kind}`),
  '/apis/apps/v1/deployments',
  '/apis/apps/v1/replicasets',
  '/apis/networking.k8s.io/v1/networkpolicies',
  `${RBAC}/rolebindings`,
  `${RBAC}/roles`,
];
const POD = { containers: [{ name: 'a', image: 'a' }] };
const ID = '00000000-0000-4000-8000-00000000000';
/** With the prefix of the server, but without its label. */
const FOREIGN_PROJECT = `longshore-${ID}1`;
const MINE = `longshore-${ID}4`;
const ours = { 'dev.longshore/installation': 'x' };
/** Of an installation whose prefix begins with that of the server. */
const OTHER_PROJECT = `longshore-b-${ID}2`;

describe.skipIf(missingForCluster.length > 0)('with the rights of the chart', () => {
  let bench: KubernetesBench;
  let engine: PreparedKubernetesEngine;
  let api: KubernetesApi;
  let account: { name: string; namespace: string };
  beforeAll(async () => {
    bench = await createKubernetesBench();
    const { deps, kubeconfig } = bench;
    const options = { kubeconfig, folder: deps.dataDir, prefix: deps.namespacePrefix };
    ({ api, account } = await openAsServer(deps.api, options));
    engine = await bench.engine({ api });
  });
  afterAll(() => bench.clear());

  const admin = <Result>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) =>
    bench.deps.api.call<Result>(method, path, { ...(body && { body }), signal: SIGNAL });
  const namespaceOf = ({ projectId }: Pick<ReleaseSpec, 'projectId'>) => `longshore-${projectId}`;

  async function start(spec: ReleaseSpec) {
    await engine.build(spec, () => {}, SIGNAL);
    const instance = await engine.startInstance(spec, SIGNAL);
    return (await engine.waitUntilListening(instance, spec, SIGNAL)).instance;
  }

  type Listed = { metadata: { name: string; labels?: Record<string, string> } };

  async function listIn(namespace: string, path: string): Promise<Listed[]> {
    const inNamespace = path.replace(/(\/[^/]+)$/, `/namespaces/${namespace}$1`);
    return (await admin<{ items: Listed[] }>('GET', inNamespace)).items;
  }

  async function namesIn(namespace: string, path: string): Promise<string[]> {
    return (await listIn(namespace, path)).map(({ metadata }) => metadata.name).sort();
  }

  /** What carries no label of ours, except for what each namespace of a cluster has. */
  async function unlabelledIn(namespace: string): Promise<string[]> {
    const lists = await Promise.all(KINDS.map((path) => listIn(namespace, path)));
    return lists
      .flat()
      .filter(({ metadata }) => metadata.labels?.['dev.longshore/installation'] === undefined)
      .map(({ metadata }) => metadata.name)
      .filter((name) => !['kube-root-ca.crt', 'default'].includes(name));
  }

  it('deploys, observes, logs, commands, stops and removes an app', async () => {
    const spec = await bench.spec(SERVES);
    const changed: string[] = [];
    engine.watch((appId) => changed.push(appId));
    const instance = await start(spec);
    expect((await engine.observe(spec.appId, SIGNAL)).instances).toMatchObject([
      { id: instance.id, state: { kind: 'running' } },
    ]);
    const line = `[${instanceLogName(spec.appId, 1)}]: ready`;
    await expect.poll(() => bench.lines).toContain(line);
    expect(await engine.listApps(SIGNAL)).toEqual([spec.appId]);
    const command = { id: 'one', text: 'echo done', logName: 'command', timeoutMs: 60_000 };
    expect(await engine.runCommand(spec, command, SIGNAL)).toMatchObject({ exit: { code: 0 } });
    expect(bench.lines).toContain('[command]: done');
    expect(await engine.usage(SIGNAL)).toMatchObject([{ appId: spec.appId }]);
    changed.length = 0;
    await engine.stopInstance(spec.appId, instance, SIGNAL);
    await expect.poll(() => changed).toContain(spec.appId);
    expect((await engine.observe(spec.appId, SIGNAL)).instances).toEqual([]);
    await engine.removeApp(spec.appId, SIGNAL);
    expect(await engine.listApps(SIGNAL)).toEqual([]);
    expect(bench.errors).toEqual([]);
  });

  it('labels all objects of a project, and leaves none when its last app is removed', async () => {
    const first = await bench.spec(SERVES);
    const second = await bench.spec(SERVES, { projectId: first.projectId, name: 'second' });
    const namespace = namespaceOf(first);
    await start(first);
    await start(second);
    expect(await namesIn(namespace, `${RBAC}/rolebindings`)).toEqual(['longshore']);
    expect(await namesIn(namespace, '/apis/networking.k8s.io/v1/networkpolicies')).toEqual([
      'project',
    ]);
    expect(await namesIn(namespace, '/api/v1/resourcequotas')).toEqual(['project']);
    expect(await namesIn(namespace, '/api/v1/limitranges')).toEqual(['project']);
    expect(await unlabelledIn(namespace)).toEqual([]);
    await engine.removeApp(first.appId, SIGNAL);
    const left = await engine.listApps(SIGNAL);
    expect(left).toContain(second.appId);
    expect(left).not.toContain(first.appId);
    expect((await engine.observe(second.appId, SIGNAL)).instances).toHaveLength(1);
    expect(await namesIn(namespace, '/apis/apps/v1/deployments')).toHaveLength(1);
    expect(await namesIn(namespace, '/api/v1/secrets')).toHaveLength(1);
    await engine.removeApp(second.appId, SIGNAL);
    await expect
      .poll(() => admin('GET', `/api/v1/namespaces/${namespace}`).catch(({ status }) => status))
      .toBe(404);
    // The project may be used again at once.
    await start(await bench.spec(SERVES, { projectId: first.projectId }));
  });

  it('reuses a build after the app was moved to a project without a namespace', async () => {
    const spec = await bench.spec(SERVES);
    await engine.build(spec, () => {}, SIGNAL);
    const moved = { ...spec, projectId: `${spec.projectId.slice(0, -4)}0000`, number: 2 };
    await engine.reuseBuild(moved, 1, SIGNAL);
    expect((await engine.observe(spec.appId, SIGNAL)).built).toEqual([1, 2]);
    await engine.removeApp(spec.appId, SIGNAL);
  });

  describe('refuses', () => {
    let own: string;
    let builders: string;
    const foreign = 'foreign';
    beforeAll(async () => {
      const spec = await bench.spec(SERVES);
      await engine.build(spec, () => {}, SIGNAL);
      own = namespaceOf(spec);
      await admin('POST', '/api/v1/namespaces', { metadata: { name: foreign } });
      await admin('POST', '/api/v1/namespaces', { metadata: { name: FOREIGN_PROJECT } });
      await admin('POST', '/api/v1/namespaces', {
        metadata: { name: OTHER_PROJECT, labels: ours },
      });
      const { installation, namespacePrefix: prefix } = bench.deps;
      const owner = { installation, prefix };
      const manifest = buildNamespaceManifest(`${ID}3`, owner);
      builders = manifest.metadata.name;
      await createNamespace(manifest, 'build', { api, owner }, SIGNAL);
      await admin('POST', `/api/v1/namespaces/${foreign}/pods`, {
        metadata: { name: 'pod' },
        spec: { ...POD, schedulingGates: [{ name: 'example.com/never' }] },
      });
    });

    /** Which part of the cluster refuses it. */
    type By = 'roles' | 'policies';
    type Context = { own: string; builders: string; account: { name: string; namespace: string } };
    type Attempt = {
      what: string;
      by: By;
      method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
      path: string | ((context: Context) => string);
      body?: object | ((context: Context) => object);
    };

    const bindingTo = (name: string, subject?: object) => ({
      body: ({ account }: Context) => ({
        metadata: { name: 'mine' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
        subjects: [subject ?? { kind: 'ServiceAccount', ...account }],
      }),
    });
    const bindings = (namespace: string) => `${RBAC}/namespaces/${namespace}/rolebindings`;
    const level = (value: string) => ({ 'pod-security.kubernetes.io/enforce': value });
    const namespaces = '/api/v1/namespaces';
    const namespace = (name: string, labels: object) => ({ body: { metadata: { name, labels } } });
    const labels = (changes: object) => ({ body: { metadata: { labels: changes } } });

    /** What the policy for builders allows, with changes. */
    const builder = (changes: object, container: object = {}) => ({
      metadata: { name: 'builder' },
      spec: {
        automountServiceAccountToken: false,
        volumes: [
          { name: 'cache', emptyDir: {} },
          { name: 'kept', persistentVolumeClaim: { claimName: 'cache-0' } },
        ],
        ...changes,
        containers: [
          {
            name: 'a',
            image: 'a',
            resources: { limits: { cpu: '1m', memory: '1Mi' } },
            ...container,
          },
        ],
      },
    });
    const buildWith = (
      what: string,
      ...[changes, container]: Parameters<typeof builder>
    ): Attempt => ({
      what: `build with ${what}`,
      by: 'policies',
      method: 'POST',
      path: ({ builders }) => `${namespaces}/${builders}/pods?dryRun=All`,
      body: builder(changes, container),
    });
    const secure = (securityContext: object) => ({ securityContext });
    const init = { name: 'b', image: 'a', ...secure({ privileged: true }) };

    const attempts: Attempt[] = [
      buildWith('the network of the node', { hostNetwork: true }),
      buildWith('the processes of the node', { hostPID: true }),
      buildWith('the memory of the node', { hostIPC: true }),
      buildWith('a folder of the node', { volumes: [{ name: 'a', hostPath: { path: '/' } }] }),
      buildWith('a secret', { volumes: [{ name: 'a', secret: { secretName: 'a' } }] }),
      buildWith('access to the cluster', { automountServiceAccountToken: true }),
      buildWith('access to the cluster by default', { automountServiceAccountToken: undefined }),
      buildWith('a privileged container', {}, secure({ privileged: true })),
      buildWith('a privileged container before the others', { initContainers: [init] }),
      buildWith('another capability', {}, secure({ capabilities: { add: ['SYS_MODULE'] } })),
      buildWith('a port of the node', {}, { ports: [{ containerPort: 80, hostPort: 80 }] }),
      {
        what: 'create a project of an installation whose prefix begins with its own',
        by: 'policies',
        method: 'POST',
        path: namespaces,
        ...namespace(`longshore-b-${ID}5`, { ...ours, ...level('baseline') }),
      },
      {
        what: 'bind itself its role in a project of such an installation',
        by: 'policies',
        method: 'POST',
        path: bindings(OTHER_PROJECT),
        ...bindingTo('longshore-app'),
      },
      {
        what: 'read a secret in kube-system',
        by: 'roles',
        method: 'GET',
        path: `${namespaces}/kube-system/secrets/any`,
      },
      { what: 'list all secrets', by: 'roles', method: 'GET', path: '/api/v1/secrets' },
      { what: 'list all pods', by: 'roles', method: 'GET', path: '/api/v1/pods' },
      {
        what: 'read the secrets of a project',
        by: 'roles',
        method: 'GET',
        path: ({ own }) => `${namespaces}/${own}/secrets`,
      },
      {
        what: 'run a program in a pod of somebody else',
        by: 'roles',
        method: 'POST',
        path: `${namespaces}/${foreign}/pods/pod/exec?command=id&stdout=true`,
      },
      {
        what: 'read the log of a pod of somebody else',
        by: 'roles',
        method: 'GET',
        path: `${namespaces}/${foreign}/pods/pod/log`,
      },
      {
        what: 'create a pod in kube-system',
        by: 'roles',
        method: 'POST',
        path: `${namespaces}/kube-system/pods`,
        body: { metadata: { name: 'mine' }, spec: POD },
      },
      {
        what: 'bind itself its role in kube-system',
        by: 'policies',
        method: 'POST',
        path: bindings('kube-system'),
        ...bindingTo('longshore-app'),
      },
      {
        what: 'bind itself its role in a namespace with its prefix but without its label',
        by: 'policies',
        method: 'POST',
        path: bindings(FOREIGN_PROJECT),
        ...bindingTo('longshore-app'),
      },
      {
        what: 'bind itself another role in its own namespace',
        by: 'roles',
        method: 'POST',
        path: ({ own }) => bindings(own),
        ...bindingTo('cluster-admin'),
      },
      {
        what: 'bind itself the role for builds in a project',
        by: 'policies',
        method: 'POST',
        path: ({ own }) => bindings(own),
        ...bindingTo('longshore-build'),
      },
      {
        what: 'bind its role to another account',
        by: 'policies',
        method: 'POST',
        path: ({ own }) => bindings(own),
        ...bindingTo('longshore-app', {
          kind: 'ServiceAccount',
          name: 'default',
          namespace: 'default',
        }),
      },
      {
        what: 'bind itself its role in the whole cluster',
        by: 'roles',
        method: 'POST',
        path: `${RBAC}/clusterrolebindings`,
        ...bindingTo('longshore-app'),
      },
      {
        what: 'create a role',
        by: 'roles',
        method: 'POST',
        path: ({ own }) => `${RBAC}/namespaces/${own}/roles`,
        body: { metadata: { name: 'mine' }, rules: [] },
      },
      {
        what: 'create a namespace without its prefix',
        by: 'policies',
        method: 'POST',
        path: namespaces,
        ...namespace('other', { ...ours, ...level('baseline') }),
      },
      {
        what: 'create a namespace without its label',
        by: 'policies',
        method: 'POST',
        path: namespaces,
        ...namespace(MINE, level('baseline')),
      },
      {
        what: 'create a project that allows privileged pods',
        by: 'policies',
        method: 'POST',
        path: namespaces,
        ...namespace(MINE, { ...ours, ...level('privileged') }),
      },
      {
        what: 'allow privileged pods in a project',
        by: 'policies',
        method: 'PATCH',
        path: ({ own }) => `${namespaces}/${own}`,
        ...labels(level('privileged')),
      },
      {
        what: 'take a namespace of somebody else',
        by: 'policies',
        method: 'PATCH',
        path: `${namespaces}/${FOREIGN_PROJECT}`,
        ...labels({ ...ours, ...level('baseline') }),
      },
      {
        what: 'remove a namespace of somebody else',
        by: 'policies',
        method: 'DELETE',
        path: `${namespaces}/${FOREIGN_PROJECT}`,
      },
      {
        what: 'remove a namespace without its prefix',
        by: 'policies',
        method: 'DELETE',
        path: `${namespaces}/${foreign}`,
      },
      {
        what: 'ask a kubelet',
        by: 'roles',
        method: 'GET',
        path: '/api/v1/nodes/node1/proxy/pods',
      },
      {
        what: 'get a token of another account',
        by: 'roles',
        method: 'POST',
        path: `${namespaces}/kube-system/serviceaccounts/default/token`,
        body: {},
      },
    ];

    const REFUSALS: Record<By, object> = {
      roles: { status: 403, message: expect.stringMatching(/cannot|attempting to grant/) },
      policies: { status: 422, message: expect.stringContaining('ValidatingAdmissionPolicy') },
    };

    it.each(attempts)('to $what, by its $by', async ({ by, method, path, body }) => {
      const context = { own, builders, account };
      const url = typeof path === 'string' ? path : path(context);
      const content = typeof body === 'function' ? body(context) : body;
      const call = api.call(method, url, { ...(content && { body: content }), signal: SIGNAL });
      await expect(call).rejects.toMatchObject(REFUSALS[by]);
    });

    it('has refused nothing for another reason: what is allowed works', async () => {
      const signal = SIGNAL;
      await api.call('GET', `/api/v1/namespaces/${own}/pods`, { signal });
      await api.call('GET', '/api/v1/nodes', { signal });
      await expect(
        api.call('GET', `/api/v1/namespaces/${foreign}`, { signal }),
      ).resolves.toBeDefined();
      const body = builder({}, secure({ capabilities: { add: ['SYS_ADMIN'] } }));
      const path = `${namespaces}/${builders}/pods?dryRun=All`;
      await expect(api.call('POST', path, { body, signal })).resolves.toBeDefined();
    });
  });
});
