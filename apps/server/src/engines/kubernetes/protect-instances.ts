import type { Instance } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { type Deployment, listDeployments } from './deployments.ts';
import type { KubernetesDeps } from './deps.ts';
import { disruptionBudget } from './manifests.ts';
import { applyObject, createObject } from './objects.ts';
import { LABELS } from './ownership.ts';
import { isRunning, type Pod } from './pod.ts';
import { instancesIn, listPods, patchPod } from './pods.ts';

/** From now on a drain of nodes counts these instances as serving. */
export async function protectPods(
  appId: string,
  instances: Instance[],
  deps: KubernetesDeps,
  signal: AbortSignal,
): Promise<void> {
  const ids = instances.map(({ id }) => id);
  const isServing = ({ metadata }: Pod) => ids.includes(metadata.labels[LABELS.instance] ?? '');
  const pods = instancesIn(await listPods(appId, deps, signal));
  const serving = pods.filter(isServing);
  for (const pod of serving) await labelPod(pod, deps, signal);
  const others = pods.filter((pod) => !isServing(pod));
  const templates = serving.map(({ metadata }) => metadata.labels[LABELS.template]);
  for (const deployment of await listDeployments(appId, deps, signal)) {
    const isOwner = templates.includes(deployment.metadata.labels[LABELS.template]);
    if (isOwner && (deployment.spec.replicas ?? 0) > 1) {
      await applyBudget(deployment, others, deps, signal);
    }
  }
}

async function labelPod(pod: Pod, deps: KubernetesDeps, signal: AbortSignal): Promise<void> {
  const patched = await patchPod(pod, { labels: { [LABELS.routed]: 'true' } }, deps, signal);
  // It would be set again at once, for ever.
  if (patched !== undefined && patched.metadata.labels[LABELS.routed] === undefined) {
    const { name } = pod.metadata;
    throw new EngineFailure('engine-failed', [`The cluster drops ${LABELS.routed} of pod ${name}`]);
  }
}

/**
 * Of a Deployment with several pods. They run without it too, so a cluster that refuses it only loses the protection. The budget of an
 * earlier version also selects pods without the label. It stays until all have it: until then, drains could take all others.
 */
export async function applyBudget(
  deployment: Deployment,
  pods: Pod[],
  deps: KubernetesDeps,
  signal: AbortSignal,
): Promise<void> {
  const budget = disruptionBudget(deployment);
  try {
    if (instancesIn(pods).some((pod) => isUncounted(pod, deployment))) {
      await createObject(budget, deps, signal);
    } else await applyObject(budget, deps, signal);
  } catch (error) {
    signal.throwIfAborted();
    deps.logError(error);
  }
}

/** Whether the budget of the Deployment does not select the pod yet. It may serve. */
function isUncounted(pod: Pod, { metadata }: Deployment): boolean {
  const { labels } = pod.metadata;
  const isOwn = labels[LABELS.template] === metadata.labels[LABELS.template];
  const isWeb = labels[LABELS.process] === undefined;
  return isOwn && isWeb && isRunning(pod) && labels[LABELS.routed] === undefined;
}
