import { setTimeout as delay } from 'node:timers/promises';
import { DEFAULT_PORT, mainPort, type Port } from '@longshore/contract';
import type { ReleaseSpec } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { nextInstanceNumber } from '../instance-number.ts';
import { type Deployment, deploymentOf, readDeployment, scale } from './deployments.ts';
import type { KubernetesDeps } from './deps.ts';
import { appRecords } from './folders.ts';
import { deploymentManifest, secretManifests } from './manifests.ts';
import { ensureNamespace } from './namespaces.ts';
import { LABELS } from './ownership.ts';
import { hasStarted, instanceNumber, missingRoom, type Pod, startProblem } from './pod.ts';
import { listPods, patchPod, readPod } from './pods.ts';
import { applyBudget } from './protect-instances.ts';
import { pullCredentialFor } from './pull-credential.ts';
import { quotaFailure } from './quota.ts';
import { type BuiltRelease, findBuilt } from './releases.ts';
import { removePod } from './stop-instance.ts';

const PAUSE_MS = 100;
/** A refusal that is reported before may be that of an earlier start. */
const REFUSAL_MS = 1_000;

/**
 * Port 80, the default, counts as not chosen: then it is the one that the app was found to listen on, or the one that its image
 * exposes.
 */
export function chosenPorts(
  ports: Port[],
  { exposedPorts, foundPort }: Pick<BuiltRelease, 'exposedPorts' | 'foundPort'>,
): Port[] {
  const port = mainPort(ports);
  if (port === undefined) return [];
  const [only, ...others] = exposedPorts;
  const exposed = others.length === 0 ? only : undefined;
  return [{ number: port === DEFAULT_PORT ? (foundPort ?? exposed ?? port) : port, expose: true }];
}

/**
 * Scales the Deployment of a release up by one; returns the pod that appears, once its container has started. `number`: of the
 * instance that it replaces.
 */
export async function startPod(
  wanted: ReleaseSpec,
  deps: KubernetesDeps,
  signal: AbortSignal,
  number?: string,
): Promise<Pod> {
  const built = await findBuilt(wanted, deps, signal);
  if (built === undefined) {
    throw new EngineFailure('engine-failed', [`Release ${wanted.number} is not built`]);
  }
  const spec = { ...wanted, ports: chosenPorts(wanted.ports, built) };
  await ensureNamespace(spec, deps, signal);
  const deployment = await ensureDeployment(spec, built.image, deps, signal);
  const before = deployment.spec.replicas ?? 0;
  // The cluster may have replaced a pod of a lost node already.
  const pods = await listPods(spec.appId, deps, signal);
  const isReplaced = pods.some((it) => isNew(it, deployment));
  if (before > 0) await applyBudget(deployment, pods, deps, signal);
  if (!isReplaced) await scale(deployment, before + 1, deps, signal);
  let pod: Pod | undefined;
  try {
    pod = await newPod(deployment, deps, signal, number);
    return await waitUntilStarted(pod, deps, signal);
  } catch (error) {
    await undo(deployment, pod, deps);
    throw error;
  }
}

async function ensureDeployment(
  spec: ReleaseSpec,
  image: string,
  deps: KubernetesDeps,
  signal: AbortSignal,
): Promise<Deployment> {
  const { api, owner, limits } = deps;
  const credential = await pullCredentialFor(spec, deps, signal);
  const { graceSeconds } = limits;
  const isPrivate = credential !== undefined;
  const manifest = deploymentManifest({ spec, image, graceSeconds, isPrivate }, owner);
  const { name, namespace } = manifest.metadata;
  const existing = await readDeployment(manifest, deps, signal);
  // Only a new one gets a number of pods: that field belongs to starts and stops.
  const body = existing ? manifest : { ...manifest, spec: { ...manifest.spec, replicas: 0 } };
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  const deployment = existing ?? (await api.call<Deployment>('POST', path, { body, signal }));
  const secrets = secretManifests(manifest, {
    spec,
    ownerUid: deployment.metadata.uid,
    credential,
  });
  for (const secret of secrets) {
    const secretPath = `/api/v1/namespaces/${namespace}/secrets/${secret.metadata.name}`;
    await api.call('PATCH', secretPath, { patch: 'apply', body: secret, signal });
  }
  const current = await readDeployment(manifest, deps, signal);
  if (current === undefined) throw new EngineFailure('engine-failed', [`${name} was removed`]);
  return current;
}

/** The values that a pod was started with. */
export async function variablesOf(
  pod: Pod,
  names: string[],
  deps: KubernetesDeps,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const deployment = await deploymentOf(pod, deps, signal);
  const { name, namespace } = deployment?.metadata ?? pod.metadata;
  const path = `/api/v1/namespaces/${namespace}/secrets/${name}`;
  const { data = {} } = await deps.api.call<{ data?: Record<string, string> }>('GET', path, {
    signal,
  });
  const known = Object.entries(data).filter(([variable]) => names.includes(variable));
  return Object.fromEntries(
    known.map(([variable, value]) => [variable, Buffer.from(value, 'base64').toString('utf8')]),
  );
}

/** The pod without a number gets one: others of the Deployment have one already. */
async function newPod(
  deployment: Deployment,
  deps: KubernetesDeps,
  signal: AbortSignal,
  number?: string,
): Promise<Pod> {
  const { labels } = deployment.metadata;
  const appId = labels[LABELS.app] ?? '';
  const until = performance.now() + deps.limits.createMs;
  while (performance.now() < until) {
    const pods = await listPods(appId, deps, signal);
    const found = pods.find((pod) => isNew(pod, deployment));
    const numbered =
      found &&
      (number === undefined
        ? await numberPod(found, pods, deps, signal)
        : await patchPod(found, { labels: { [LABELS.instance]: number } }, deps, signal));
    if (numbered !== undefined) return numbered;
    const isDue = performance.now() > until - deps.limits.createMs + REFUSAL_MS;
    const quota = isDue && quotaFailure(await refusalOf(deployment, deps, signal));
    if (quota) throw quota;
    await delay(PAUSE_MS, undefined, { signal });
  }
  throw new EngineFailure('engine-failed', ['The cluster did not create a pod'], {
    cause: await refusalOf(deployment, deps, signal),
  });
}

function isNew(pod: Pod, { metadata: { namespace, labels } }: Deployment): boolean {
  return (
    instanceNumber(pod) === undefined &&
    pod.metadata.deletionTimestamp === undefined &&
    pod.metadata.namespace === namespace &&
    pod.metadata.labels[LABELS.template] === labels[LABELS.template]
  );
}

/** Undefined when the pod is gone. `pods`: all of the app. */
export async function numberPod(
  pod: Pod,
  pods: Pod[],
  deps: KubernetesDeps,
  signal: AbortSignal,
): Promise<Pod | undefined> {
  const taken = pods.map((other) => instanceNumber(other) ?? 0);
  const appId = pod.metadata.labels[LABELS.app] ?? '';
  const number = await nextInstanceNumber(deps.records, taken, appRecords(appId));
  return await patchPod(pod, { labels: { [LABELS.instance]: String(number) } }, deps, signal);
}

/** For the server log: the texts of the cluster are not for users. */
async function refusalOf(
  deployment: Deployment,
  deps: KubernetesDeps,
  signal: AbortSignal,
): Promise<string> {
  const current = await readDeployment(deployment, deps, signal);
  const condition = current?.status?.conditions?.find(({ type }) => type === 'ReplicaFailure');
  return condition?.message ?? '';
}

/** Resolves once the container has started. Throws the reason why it cannot. */
export async function waitUntilStarted(
  pod: Pod,
  deps: KubernetesDeps,
  signal: AbortSignal,
): Promise<Pod> {
  const { startMs, scheduleMs } = deps.limits;
  const startedAt = performance.now();
  while (performance.now() - startedAt < startMs) {
    const current = await readPod(pod, deps, signal);
    if (current === undefined) throw new EngineFailure('app-exited', ['The pod was removed']);
    const room = performance.now() - startedAt < scheduleMs ? undefined : missingRoom(current);
    const problem = startProblem(current) ?? room;
    if (problem !== undefined) throw new EngineFailure(problem.reason, problem.evidence);
    if (hasStarted(current) && current.status?.podIP !== undefined) return current;
    await delay(PAUSE_MS, undefined, { signal });
  }
  throw new EngineFailure('registry-unreachable', ['The image was not pulled in time']);
}

/** Also after an abort: a pod that nobody knows would stay for ever. */
async function undo(
  deployment: Deployment,
  pod: Pod | undefined,
  deps: KubernetesDeps,
): Promise<void> {
  const signal = AbortSignal.timeout(deps.limits.createMs);
  try {
    if (pod !== undefined) await removePod(pod, deps, signal);
    else await scale(deployment, deployment.spec.replicas ?? 0, deps, signal);
  } catch (error) {
    deps.logError(error);
  }
}
