import { setTimeout as delay } from 'node:timers/promises';
import { DEFAULT_PORT, mainPort } from '@longshore/contract';
import type { ReleaseSpec } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { createOtherPortFinder } from '../find-other-port.ts';
import { notListeningFailure } from '../not-listening.ts';
import type { KubernetesDeps } from './deps.ts';
import { openPorts } from './open-ports.ts';
import { LABELS } from './ownership.ts';
import { exitOf, isReady, type Pod, toInstance } from './pod.ts';
import { readLastLines } from './pod-logs.ts';
import { patchPod, readPod } from './pods.ts';

const PAUSE_MS = 100;
const LOOK_MS = 1_000;
const CANNOT_SEE =
  'Make the app listen on 0.0.0.0. On Kubernetes, Longshore cannot see whether it listens on 127.0.0.1 or an uncommon port';

/** `elsewhere`: no port was chosen, and the app listens on this one instead of the one that it was given. */
export type FoundPort = { kind: 'listening'; pod: Pod } | { kind: 'elsewhere'; port: number };

/** Resolves once the node has connected to the port of the app. From then on private names lead to the instance. */
export async function waitUntilListening(
  pod: Pod,
  spec: ReleaseSpec,
  deps: KubernetesDeps,
  signal: AbortSignal,
): Promise<FoundPort> {
  const { graceSeconds } = spec;
  const timeoutMs = graceSeconds === undefined ? deps.limits.listenTimeoutMs : graceSeconds * 1_000;
  const until = performance.now() + timeoutMs;
  const { host, port } = toInstance(pod).address;
  const isPortChosen = mainPort(spec.ports) !== DEFAULT_PORT;
  const findOtherPort = createOtherPortFinder(() => performance.now());
  let lookAt = performance.now() + LOOK_MS;
  while (performance.now() < until) {
    const current = await requirePod(pod, deps, signal);
    const exit = exitOf(current);
    if (exit !== undefined) {
      const how =
        exit.reason === 'OOMKilled'
          ? 'The app exceeded its memory limit'
          : `Exit code ${exit.exitCode}`;
      throw new EngineFailure('app-exited', [how, ...(await readLastLines(pod, deps, signal))]);
    }
    if (isReady(current)) {
      const marks = { labels: { [LABELS.serving]: servingLabel(spec) } };
      const listening = (await patchPod(current, marks, deps, signal)) ?? current;
      return { kind: 'listening', pod: listening };
    }
    if (!isPortChosen && performance.now() >= lookAt) {
      lookAt = performance.now() + LOOK_MS;
      const open = await openPorts(host);
      const other = open.includes(port) ? undefined : findOtherPort(open.map(everywhere));
      if (other !== undefined) return { kind: 'elsewhere', port: other.port };
    }
    await delay(PAUSE_MS, undefined, { signal });
  }
  const open = (await openPorts(host)).map(everywhere);
  const lines = await readLastLines(pod, deps, signal);
  throw notListeningFailure({
    port: port || (mainPort(spec.ports) ?? 0),
    waitedSeconds: Math.round(timeoutMs / 1_000),
    listening: open.length === 0 ? undefined : open,
    isLoopbackReached: false,
    lines: open.length === 0 ? [CANNOT_SEE, ...lines] : lines,
  });
}

/** Whether a pod has been found to listen before, and still does. */
export function isServing(pod: Pod, spec: Pick<ReleaseSpec, 'process'>): boolean {
  const isMarked = pod.metadata.labels[LABELS.serving] === servingLabel(spec);
  return isMarked && isReady(pod) && exitOf(pod) === undefined;
}

function servingLabel({ process }: Pick<ReleaseSpec, 'process'>): string {
  return process === undefined ? 'true' : 'process';
}

/** It was reached from outside of the pod. */
function everywhere(port: number) {
  return { host: '0.0.0.0', port };
}

async function requirePod(pod: Pod, deps: KubernetesDeps, signal: AbortSignal): Promise<Pod> {
  const current = await readPod(pod, deps, signal);
  if (current !== undefined) return current;
  throw new EngineFailure('app-exited', ['The instance no longer exists']);
}
