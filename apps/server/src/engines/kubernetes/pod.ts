import { instanceLogName } from '@longshore/contract';
import type { Exit, Instance } from '../engine.ts';
import { EXIT_SIGNALS } from '../exit-signals.ts';
import type { Reason } from '../failure.ts';
import { LABELS } from './ownership.ts';

/** The fields of a pod that this engine uses. */
export type Pod = {
  metadata: {
    name: string;
    namespace: string;
    uid: string;
    resourceVersion?: string;
    creationTimestamp: string;
    deletionTimestamp?: string;
    labels: Record<string, string>;
  };
  status?: {
    phase?: string;
    podIP?: string;
    startTime?: string;
    reason?: string;
    conditions?: PodCondition[];
    containerStatuses?: ContainerStatus[];
  };
};

type PodCondition = { type: string; status: string; reason?: string; message?: string };

type ContainerStatus = {
  restartCount: number;
  ready: boolean;
  state?: ContainerState;
  lastState?: ContainerState;
};

type ContainerState = {
  running?: { startedAt: string };
  waiting?: { reason?: string; message?: string };
  terminated?: Terminated;
};

type Terminated = {
  exitCode: number;
  reason?: string;
  message?: string;
  startedAt: string;
  finishedAt: string;
};

/** The conditions that say something that this engine uses. */
const CONDITIONS = ['Ready', 'PodScheduled', 'DisruptionTarget'];

/** Only what is used: pods of all apps are kept in memory, and most of a pod is for others. */
export function toPod({ metadata, status }: Pod): Pod {
  const { name, namespace, uid, resourceVersion, creationTimestamp, labels } = metadata;
  const { deletionTimestamp } = metadata;
  const { phase, podIP, startTime, reason, conditions, containerStatuses } = status ?? {};
  return withoutMissing({
    metadata: withoutMissing({
      ...{ name, namespace, uid, resourceVersion, creationTimestamp, deletionTimestamp, labels },
    }),
    status:
      status &&
      withoutMissing({
        ...{ phase, podIP, startTime, reason },
        conditions: conditions
          ?.filter(({ type }) => CONDITIONS.includes(type))
          .map((it) =>
            withoutMissing({
              type: it.type,
              status: it.status,
              reason: it.reason,
              message: it.message,
            }),
          ),
        containerStatuses: containerStatuses?.map((it) =>
          withoutMissing({
            restartCount: it.restartCount,
            ready: it.ready,
            state: it.state,
            lastState: it.lastState,
          }),
        ),
      }),
  }) as Pod;
}

function withoutMissing(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** How long after its deadline a pod may take to be gone. */
const OVERDUE_MS = 30_000;

export function instanceNumber({ metadata }: Pick<Pod, 'metadata'>): number | undefined {
  const number = metadata.labels[LABELS.instance];
  return number === undefined ? undefined : Number(number);
}

/** Whether the container has been started at least once. */
export function hasStarted(pod: Pod): boolean {
  const status = containerOf(pod);
  return status?.state?.running !== undefined || terminatedIn(pod) !== undefined;
}

export function isRunning(pod: Pod): boolean {
  return containerOf(pod)?.state?.running !== undefined;
}

export function toInstance(pod: Pod): Instance {
  const { labels } = pod.metadata;
  const app = labels[LABELS.app] ?? '';
  const process = labels[LABELS.process];
  const exited = exitOf(pod);
  const isUnprotected = process === undefined && labels[LABELS.routed] === undefined;
  return {
    id: labels[LABELS.instance] ?? '',
    release: Number(labels[LABELS.release]),
    ...(process === undefined ? {} : { process }),
    networkAlias: { projectId: labels[LABELS.project] ?? '', name: labels[LABELS.name] ?? '' },
    ...(isUnprotected ? { isUnprotected } : {}),
    logName: instanceLogName(app, instanceNumber(pod) ?? 0, process),
    address: { host: pod.status?.podIP ?? '', port: Number(labels[LABELS.port] ?? 0) },
    startedAt: new Date(startOf(pod)),
    state: exited === undefined ? { kind: 'running' } : { kind: 'exited', exit: toExit(exited) },
  };
}

/**
 * How the container of an instance ended, while it does not run. Kubernetes restarts it by itself: that counts only for an instance
 * that has answered before. One that has not was a failed start, and stays one until it is stopped.
 */
export function exitOf(pod: Pod): Terminated | undefined {
  const status = containerOf(pod);
  if (pod.metadata.labels[LABELS.serving] === undefined) return terminatedIn(pod);
  return status?.state?.running === undefined ? terminatedIn(pod) : undefined;
}

export function terminatedIn(pod: Pod): Terminated | undefined {
  const status = containerOf(pod);
  return status?.state?.terminated ?? status?.lastState?.terminated;
}

/** A container that is restarted is another run. */
function startOf(pod: Pod): string {
  const { status, metadata } = pod;
  const running = containerOf(pod)?.state?.running?.startedAt;
  const isFailedStart = metadata.labels[LABELS.serving] === undefined && exitOf(pod) !== undefined;
  const pending = status?.startTime ?? metadata.creationTimestamp;
  if (isFailedStart) return pending;
  return running ?? terminatedIn(pod)?.startedAt ?? pending;
}

export function toExit({ exitCode, finishedAt, reason }: Terminated): Exit {
  const isOutOfMemory = reason === 'OOMKilled';
  const signal = EXIT_SIGNALS[exitCode];
  return {
    code: signal === undefined ? exitCode : undefined,
    signal,
    at: new Date(finishedAt),
    ...(isOutOfMemory ? { isOutOfMemory } : {}),
  };
}

export function isReady({ status }: Pod): boolean {
  const conditions = status?.conditions ?? [];
  return conditions.some((it) => it.type === 'Ready' && it.status === 'True');
}

export function restartCount(pod: Pod): number {
  return containerOf(pod)?.restartCount ?? 0;
}

/** How often the container has ended so far. */
export function exitCount(pod: Pod): number {
  return restartCount(pod) + (containerOf(pod)?.state?.terminated === undefined ? 0 : 1);
}

/** Why the cluster takes a pod away, for the log of its instance. */
const DISRUPTIONS: Record<string, string> = {
  DeletionByTaintManager: 'its node does not respond',
  DeletionByPodGC: 'its node was removed',
  EvictionByEvictionAPI: 'its node is being drained',
  TerminationByKubelet: 'its node shuts down or has too little memory or disk space',
  PreemptionByScheduler: 'its node needs the room for a pod with a higher priority',
};

/** Undefined for a pod that stays, or that this engine removes. */
export function disruptionOf({ metadata, status }: Pod): string | undefined {
  if (metadata.deletionTimestamp === undefined) return undefined;
  const condition = status?.conditions?.find(
    (it) => it.type === 'DisruptionTarget' && it.status === 'True',
  );
  return DISRUPTIONS[condition?.reason ?? ''];
}

/** Whether a pod should have been gone for a while: its node does not respond, and removes it when it does. */
export function isOverdue({ metadata: { deletionTimestamp } }: Pod, nowMs: number): boolean {
  return deletionTimestamp !== undefined && nowMs - Date.parse(deletionTimestamp) > OVERDUE_MS;
}

export type StartProblem = { reason: Reason; evidence: string[] };

const PULL_FAILURES = ['ErrImagePull', 'ImagePullBackOff', 'ErrImageNeverPull', 'InvalidImageName'];
const PULL_REASONS: [RegExp, Reason][] = [
  [/unauthorized|denied|authorization failed|forbidden|\b40[13]\b/i, 'image-refused'],
  [/no match for platform|no matching manifest/i, 'image-wrong-architecture'],
  [/not found|manifest unknown|InvalidImageName|invalid reference/i, 'image-not-found'],
];
const START_FAILURES = [
  'StartError',
  'ContainerCannotRun',
  'RunContainerError',
  'CreateContainerError',
];
const START_REASONS: [RegExp, Reason][] = [
  [/exec format error/i, 'image-wrong-architecture'],
  [/no space left/i, 'disk-full'],
  [/no command specified|executable file not found|no such file/i, 'start-command-missing'],
];

/** Why the container of a pod cannot start; undefined while it still may. Texts of the cluster are matched, never shown. */
export function startProblem(pod: Pod): StartProblem | undefined {
  const { waiting, terminated } = containerOf(pod)?.state ?? {};
  const { reason = '', message = '' } = waiting ?? terminated ?? {};
  if (PULL_FAILURES.includes(reason)) {
    const found = PULL_REASONS.find(([pattern]) => pattern.test(`${reason} ${message}`));
    return { reason: found?.[1] ?? 'registry-unreachable', evidence: [] };
  }
  const failed = [waiting, terminated, containerOf(pod)?.lastState?.terminated].find((it) =>
    START_FAILURES.includes(it?.reason ?? ''),
  );
  const found = START_REASONS.find(([pattern]) => pattern.test(failed?.message ?? ''));
  return found && { reason: found[1], evidence: [] };
}

/** Which resources no node has enough of; undefined when the pod has a node, or none was looked for yet. */
export function missingRoom({ status }: Pod): StartProblem | undefined {
  const condition = status?.conditions?.find(
    (it) => it.type === 'PodScheduled' && it.reason === 'Unschedulable',
  );
  if (condition === undefined) return undefined;
  const resources = [...(condition.message ?? '').matchAll(/Insufficient (cpu|memory)/g)];
  const names = [...new Set(resources.map(([, name]) => (name === 'cpu' ? 'CPU' : name)))];
  const evidence = names.map((name) => `No node has enough free ${name}`);
  return { reason: 'no-room', evidence };
}

function containerOf({ status }: Pod): ContainerStatus | undefined {
  return status?.containerStatuses?.[0];
}
