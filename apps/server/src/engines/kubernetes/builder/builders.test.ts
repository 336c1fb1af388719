import { expect, it } from 'vitest';
import { EngineFailure } from '../../failure.ts';
import type { KubernetesApi } from '../kubernetes-api.ts';
import { KubernetesError } from '../kubernetes-error.ts';
import { removeLeftovers } from './builders.ts';

const owner = { installation: 'one', prefix: 'longshore' };
const REVIEW = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

type Review = { spec: { resourceAttributes: { namespace: string } } };
type Handler = (request: string) => unknown;

/** A cluster with the build namespaces of these owners, with one pod in each. `handle` answers first, or throws. */
function openCluster(owners: string[], bound: string[], handle: Handler = () => undefined) {
  const withRights = new Set(bound.map((name) => `longshore-build-${name}`));
  const requests: string[] = [];
  async function call(method: string, path: string, { body }: { body?: unknown } = {}) {
    const request = `${method} ${path}`;
    requests.push(request);
    const handled = handle(request);
    if (handled !== undefined) return handled;
    if (path === REVIEW) {
      const { namespace } = (body as Review).spec.resourceAttributes;
      return { status: { allowed: withRights.has(namespace) } };
    }
    if (path.endsWith('/selfsubjectreviews')) {
      return { status: { userInfo: { username: 'system:serviceaccount:longshore:other' } } };
    }
    if (path === '/api/v1/namespaces') {
      return { items: owners.map((name) => ({ metadata: { name: `longshore-build-${name}` } })) };
    }
    const namespace = path.split('/namespaces/')[1]?.split('/')[0] ?? '';
    if (path.includes('/rolebindings')) withRights.add(namespace);
    else if (!withRights.has(namespace)) throw new KubernetesError(403, 'forbidden');
    if (method !== 'GET') return {};
    return { items: [{ metadata: { name: 'builder-0-x', namespace, uid: namespace } }] };
  }
  const logged: unknown[] = [];
  const logError = (error: unknown) => void logged.push(error);
  const deps = { api: { call } as unknown as KubernetesApi, owner, logError };
  const removed = () =>
    requests.flatMap(
      (request) => /^DELETE .*\/longshore-build-(\w+)\/pods/.exec(request)?.[1] ?? [],
    );
  return { deps, logged, removed };
}

it('removes builders that another server left, also those of another account of the cluster', async () => {
  const { deps, logged, removed } = openCluster(['ada', 'bob'], ['bob']);
  await removeLeftovers(deps);
  expect(removed()).toEqual(['ada', 'bob']);
  expect(logged).toEqual([]);
});

it('removes those of other owners if the namespace of one refuses it', async () => {
  const refused = new KubernetesError(403, 'forbidden');
  const { deps, logged, removed } = openCluster(['ada', 'bob'], ['ada', 'bob'], (request) => {
    if (request.startsWith('GET') && request.includes('-ada/')) throw refused;
  });
  await removeLeftovers(deps);
  expect(removed()).toEqual(['bob']);
  expect(logged).toEqual([refused]);
});

it('fails while the cluster is down, so that it is tried again', async () => {
  const down = new EngineFailure('cluster-down');
  const { deps } = openCluster(['ada'], ['ada'], (request) => {
    if (request.includes('-ada/')) throw down;
  });
  await expect(removeLeftovers(deps)).rejects.toBe(down);
});
