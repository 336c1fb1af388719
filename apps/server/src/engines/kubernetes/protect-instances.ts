import type { Instance } from '../engine.ts';
import { type Deployment, listDeployments } from './deployments.ts';
import type { KubernetesDeps } from './deps.ts';
import { disruptionBudget } from './manifests.ts';
import { applyObject } from './objects.ts';
import { LABELS } from './ownership.ts';
import type { Pod } from './pod.ts';
import { instancesIn, listPods, patchPod } from './pods.ts';

/**
 * From now on a drain of nodes counts these instances as serving. Labels come first: a budget that selects pods without them would allow
 * drains to take all.
 */
export async function protectPods(
  appId: string,
  instances: Instance[],
  deps: KubernetesDeps,
  signal: AbortSignal,
): Promise<void> {
  const ids = instances.map(({ id }) => id);
  const isServing = ({ metadata }: Pod) => ids.includes(metadata.labels[LABELS.instance] ?? '');
  const pods = instancesIn(await listPods(appId, deps, signal)).filter(isServing);
  for (const pod of pods) {
    await patchPod(pod, { labels: { [LABELS.routed]: 'true' } }, deps, signal);
  }
  const templates = pods.map(({ metadata }) => metadata.labels[LABELS.template]);
  for (const deployment of await listDeployments(appId, deps, signal)) {
    const isOwner = templates.includes(deployment.metadata.labels[LABELS.template]);
    if (isOwner && (deployment.spec.replicas ?? 0) > 1) await applyBudget(deployment, deps, signal);
  }
}

/** Of a Deployment with several pods. They run without it too, so a cluster that refuses it only loses the protection. */
export async function applyBudget(
  deployment: Deployment,
  deps: KubernetesDeps,
  signal: AbortSignal,
): Promise<void> {
  try {
    await applyObject(disruptionBudget(deployment), deps, signal);
  } catch (error) {
    signal.throwIfAborted();
    deps.logError(error);
  }
}
