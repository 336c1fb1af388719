import { setTimeout as delay } from 'node:timers/promises';
import { mainPort } from '@longshore/contract';
import type { ReleaseSpec } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { notListeningFailure } from '../not-listening.ts';
import type { KubernetesDeps } from './deps.ts';
import { LABELS } from './ownership.ts';
import { exitOf, isReady, type Pod, toInstance } from './pod.ts';
import { readLastLines } from './pod-logs.ts';
import { patchPod, readPod } from './pods.ts';

const PAUSE_MS = 100;

/** Resolves once the node has connected to the port of the app. From then on private names lead to the instance. */
export async function waitUntilListening(
  pod: Pod,
  spec: ReleaseSpec,
  deps: KubernetesDeps,
  signal: AbortSignal,
): Promise<Pod> {
  const { graceSeconds } = spec;
  const timeoutMs = graceSeconds === undefined ? deps.limits.listenTimeoutMs : graceSeconds * 1_000;
  const until = performance.now() + timeoutMs;
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
      const serving = {
        labels: { [LABELS.serving]: spec.process === undefined ? 'true' : 'process' },
      };
      return (await patchPod(current, serving, deps, signal)) ?? current;
    }
    await delay(PAUSE_MS, undefined, { signal });
  }
  throw notListeningFailure({
    port: toInstance(pod).address.port || (mainPort(spec.ports) ?? 0),
    waitedSeconds: Math.round(timeoutMs / 1_000),
    // The sockets of a pod are visible on its node only.
    listening: undefined,
    isLoopbackReached: false,
    lines: await readLastLines(pod, deps, signal),
  });
}

async function requirePod(pod: Pod, deps: KubernetesDeps, signal: AbortSignal): Promise<Pod> {
  const current = await readPod(pod, deps, signal);
  if (current !== undefined) return current;
  throw new EngineFailure('app-exited', ['The instance no longer exists']);
}
