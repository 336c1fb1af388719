import { setTimeout as delay } from 'node:timers/promises';
import { deleteDeployment, deploymentOf, readDeployment, scale } from './deployments.ts';
import type { KubernetesDeps } from './deps.ts';
import { LABELS } from './ownership.ts';
import { isOverdue, type Pod } from './pod.ts';
import { deletePod, patchPod, readPod } from './pods.ts';

/** Of the pods of a Deployment that are ready, the one with the lowest cost is removed first. */
const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';
const LOWEST_COST = '-2147483648';
const PAUSE_MS = 100;
/** How long the cluster may take to choose the pod that it removes. */
const CHOOSE_MS = 3_000;

/**
 * Takes a pod out of its private names, and scales its Deployment down by one. At 0 the Deployment is removed. One call at a time
 * per app.
 */
export async function removePod(
  pod: Pod,
  deps: KubernetesDeps,
  signal: AbortSignal,
): Promise<void> {
  const marks = {
    labels: { [LABELS.serving]: null, [LABELS.routed]: null },
    annotations: { [DELETION_COST]: LOWEST_COST },
  };
  if ((await patchPod(pod, marks, deps, signal)) === undefined) return;
  const deployment = await deploymentOf(pod, deps, signal);
  const left = Math.max((deployment?.spec.replicas ?? 1) - 1, 0);
  if (deployment !== undefined) await scale(deployment, left, deps, signal);
  // The cluster prefers pods that are not ready: then this one is replaced by a new one instead.
  if (!(await isBeingRemoved(pod, deps, signal))) await deletePod(pod, deps, signal);
  if (deployment === undefined || left > 0) return;
  const current = await readDeployment(deployment, deps, signal);
  if (current?.spec.replicas === 0) await deleteDeployment(deployment, deps, signal);
}

async function isBeingRemoved(
  pod: Pod,
  deps: KubernetesDeps,
  signal: AbortSignal,
): Promise<boolean> {
  const until = performance.now() + CHOOSE_MS;
  while (performance.now() < until) {
    const current = await readPod(pod, deps, signal);
    if (current === undefined || current.metadata.deletionTimestamp !== undefined) return true;
    await delay(PAUSE_MS, undefined, { signal });
  }
  return false;
}

/** Resolves when a pod is gone, and with it everything that ran in it, or when its node does not respond. */
export async function waitUntilGone(
  pod: Pod,
  deps: Pick<KubernetesDeps, 'api'>,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const current = await readPod(pod, deps, signal);
    if (current === undefined || isOverdue(current, Date.now())) return;
    await delay(PAUSE_MS, undefined, { signal });
  }
}
