import { expect, it } from 'vitest';
import { OWNER } from '../../../test/engines/kubernetes/release-fixture.ts';
import type { ApiRequest, KubernetesApi } from './kubernetes-api.ts';
import { KubernetesError } from './kubernetes-error.ts';
import { listOfApp, updateNamespaces } from './namespaces.ts';
import { appLabel, LABELS } from './ownership.ts';

const { signal } = new AbortController();
const network = () => ({
  allowedNetworks: [],
  gateway: { kind: 'addresses' as const, addresses: [], ports: [] },
});

type Options = {
  /** Of projects. */
  projects: string[];
  /** Those that are gone, or being removed, since they were listed. */
  gone?: string[];
  ending?: string[];
  /** Those in which the server has no rights until it binds its role. */
  withoutAccess?: string[];
  /** Those that refuse this too. */
  refusing?: string[];
};

/** A cluster with namespaces that nothing was applied to yet. */
function fakeCluster({
  projects,
  gone = [],
  ending = [],
  withoutAccess = [],
  refusing = [],
}: Options) {
  const changes: string[] = [];
  const annotations: Record<string, Record<string, string>> = {};
  const refused = new Set(withoutAccess);
  const namespaceOf = (project: string) => ({
    metadata: {
      name: `longshore-${project}`,
      uid: project,
      labels: {
        [LABELS.installation]: OWNER.installation,
        [LABELS.project]: project,
        [appLabel('shop')]: '',
      },
      annotations: annotations[project],
    },
  });
  const respond = (method: string, path: string, request: ApiRequest): object => {
    if (path.endsWith('/selfsubjectreviews')) return { status: { userInfo: { username: 'ada' } } };
    if (path.endsWith('/selfsubjectaccessreviews')) {
      const { namespace } = (request.body as Review).spec.resourceAttributes;
      return { status: { allowed: !refused.has(namespace.replace('longshore-', '')) } };
    }
    const [, project = '', rest] = /\/namespaces\/longshore-(\w+)(.*)$/.exec(path) ?? [];
    if (project === '') return { items: projects.map(namespaceOf) };
    if (method === 'PATCH') return change(project, rest ?? '', request);
    if (rest !== '') return listPods(project);
    if (gone.includes(project)) throw new KubernetesError(404, 'not found');
    const { metadata } = namespaceOf(project);
    const deletion = ending.includes(project) ? { deletionTimestamp: 'now' } : {};
    return { metadata: { ...metadata, ...deletion } };
  };
  const listPods = (project: string) => {
    if (refused.has(project)) throw new KubernetesError(403, 'forbidden');
    return { items: [project] };
  };
  const change = (project: string, rest: string, { body, patch }: ApiRequest) => {
    const { uid, annotations: added } = (body as Change).metadata;
    if (rest.includes('/rolebindings/') && refusing.includes(project)) {
      throw new KubernetesError(403, 'forbidden');
    }
    if (gone.includes(project) && rest === '') {
      // Only an object without the id of the one before is created.
      const isCreated = patch === 'apply' && uid === undefined;
      if (!isCreated) throw new KubernetesError(patch === 'apply' ? 409 : 404, 'no such namespace');
    }
    if (gone.includes(project) && rest !== '') throw new KubernetesError(404, 'no such namespace');
    if (ending.includes(project) && rest !== '') throw new KubernetesError(403, 'is being removed');
    if (rest.includes('/rolebindings/')) refused.delete(project);
    if (added !== undefined) annotations[project] = added;
    changes.push(`${project}${rest.replace(/\/.*\//, ' ')}`);
    return {};
  };
  const call = async (method: string, path: string, request: ApiRequest) =>
    respond(method, path, request);
  const deps = { api: { call } as unknown as KubernetesApi, owner: OWNER, network };
  return { deps, changes, revoke: (project: string) => refused.add(project) };
}

type Review = { spec: { resourceAttributes: { namespace: string } } };
type Change = { metadata: { uid?: string; annotations?: Record<string, string> } };

it('applies the objects of projects once', async () => {
  const { deps, changes } = fakeCluster({ projects: ['a'] });
  await updateNamespaces(deps, signal);
  expect(changes[0]).toBe('a');
  expect(changes.length).toBeGreaterThan(2);
  const count = changes.length;
  await updateNamespaces(deps, signal);
  expect(changes).toHaveLength(count);
});

it('gives another account of the server its rights in projects that are up to date', async () => {
  const { deps, changes, revoke } = fakeCluster({ projects: ['a', 'b'] });
  await updateNamespaces(deps, signal);
  const count = changes.length;
  revoke('b');
  await updateNamespaces(deps, signal);
  expect(changes.slice(count)).toEqual(['b longshore']);
});

it('updates the other projects if one refuses', async () => {
  const { deps, changes } = fakeCluster({
    projects: ['a', 'b'],
    withoutAccess: ['a'],
    refusing: ['a'],
  });
  await expect(updateNamespaces(deps, signal)).rejects.toThrow('forbidden');
  expect(changes).toContain('b');
});

it.each(['gone', 'ending'])('skips a project that is %s by now', async (state) => {
  const { deps, changes } = fakeCluster({ projects: ['a', 'b'], [state]: ['a'] });
  await updateNamespaces(deps, signal);
  expect(changes).toContain('b');
  if (state === 'gone') expect(changes).not.toContain('a');
});

it('lists objects after it has given the server the rights that somebody removed', async () => {
  const { deps, changes } = fakeCluster({ projects: ['a', 'b'], withoutAccess: ['a'] });
  expect(await listOfApp('pods', 'shop', deps, signal)).toEqual(['a', 'b']);
  expect(changes).toEqual(['a longshore']);
});

it('lists nothing of a namespace that is removed, in which its rights have ended', async () => {
  const { deps, changes } = fakeCluster({
    projects: ['a', 'b'],
    ending: ['a'],
    withoutAccess: ['a'],
  });
  expect(await listOfApp('pods', 'shop', deps, signal)).toEqual(['b']);
  expect(changes).toEqual([]);
});
