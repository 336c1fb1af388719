import type { KubernetesDeps } from './deps.ts';
import { undefinedIfMissing } from './kubernetes-error.ts';
import { listOfApp } from './namespaces.ts';
import { instanceNumber, type Pod, toPod } from './pod.ts';

type PodDeps = Pick<KubernetesDeps, 'api' | 'owner' | 'projects'>;
type PodName = Pick<Pod, 'metadata'>;

/** Of one app, in all namespaces: it may be about to leave a project. */
export async function listPods(appId: string, deps: PodDeps, signal: AbortSignal): Promise<Pod[]> {
  return (await listOfApp<Pod>('pods', appId, deps, signal)).map(toPod);
}

/** Those that are instances: they have a number and are not being removed. */
export function instancesIn(pods: Pod[]): Pod[] {
  const numberOf = (pod: Pod) => instanceNumber(pod) ?? 0;
  return pods
    .filter((pod) => instanceNumber(pod) !== undefined)
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .sort((one, other) => numberOf(one) - numberOf(other));
}

export async function readPod(
  { metadata: { namespace, name, uid } }: PodName,
  { api }: Pick<PodDeps, 'api'>,
  signal: AbortSignal,
): Promise<Pod | undefined> {
  const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
  const found = await undefinedIfMissing(api.call<Pod>('GET', path, { signal }));
  return found?.metadata.uid === uid ? toPod(found) : undefined;
}

/** Undefined when it is gone. */
export async function patchPod(
  { metadata: { namespace, name } }: PodName,
  metadata: { labels?: Record<string, string | null>; annotations?: Record<string, string> },
  { api }: Pick<PodDeps, 'api'>,
  signal: AbortSignal,
): Promise<Pod | undefined> {
  const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
  const patching = api.call<Pod>('PATCH', path, { body: { metadata }, signal });
  const patched = await undefinedIfMissing(patching);
  return patched && toPod(patched);
}

export async function deletePod(
  { metadata: { namespace, name, uid } }: PodName,
  { api }: Pick<PodDeps, 'api'>,
  signal: AbortSignal,
): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
  const body = { preconditions: { uid } };
  await undefinedIfMissing(api.call('DELETE', path, { body, signal }));
}
