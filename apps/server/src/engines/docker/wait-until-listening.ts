import { setTimeout as delay } from 'node:timers/promises';
import { mainPort } from '@longshore/contract';
import { listeningSocketsInNamespaceOf } from '../../processes/listening-sockets.ts';
import type { Address, ReleaseSpec } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { notListeningFailure } from '../not-listening.ts';
import type { Container } from './container.ts';
import { isRunning } from './container.ts';
import { readLastLines } from './container-lines.ts';
import { inspectContainer } from './containers.ts';
import type { DockerDeps } from './deps.ts';
import { acceptsConnections } from './port-probe.ts';

/** Short intervals first, for apps that start quickly, then longer ones. */
const FIRST_PAUSE_MS = 20;
const LAST_PAUSE_MS = 250;
const PAUSE_GROWTH = 1.3;

/** Resolves once the app itself, not Docker's proxy, accepts connections on its port. */
export async function waitUntilListening(
  id: string,
  address: Address,
  spec: ReleaseSpec,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<void> {
  const until = performance.now() + deps.limits.listenTimeoutMs;
  const port = mainPort(spec.ports);
  for (let pauseMs = FIRST_PAUSE_MS; performance.now() < until; pauseMs *= PAUSE_GROWTH) {
    signal.throwIfAborted();
    const container = await inspectContainer(id, deps, signal);
    if (container === undefined)
      throw new EngineFailure('app-exited', ['The instance no longer exists']);
    if (!isRunning(container.State)) throw await exitFailure(container, deps, signal);
    if (port === undefined || (await acceptsConnections(endpointsOf(container, port, address))))
      return;
    await delay(Math.min(pauseMs, LAST_PAUSE_MS), undefined, { signal });
  }
  throw await timeoutFailure(id, spec, deps, signal);
}

function endpointsOf({ NetworkSettings }: Container, port: number, published: Address) {
  const [network] = Object.values(NetworkSettings.Networks);
  const host = network?.IPAddress ?? '';
  return { direct: host === '' ? undefined : { host, port }, published };
}

async function exitFailure(
  container: Container,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<EngineFailure> {
  const lines = await readLastLines(container.Id, deps, signal);
  return new EngineFailure('app-exited', exitEvidence(container, lines));
}

/** How an instance exited, and its last output. */
function exitEvidence({ State }: Pick<Container, 'State'>, lines: string[]): string[] {
  if (State.OOMKilled) return ['The app exceeded its memory limit', ...lines];
  return [`Exit code ${State.ExitCode}`, ...lines];
}

async function timeoutFailure(
  id: string,
  spec: ReleaseSpec,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<EngineFailure> {
  const container = await inspectContainer(id, deps, signal);
  const lines = await readLastLines(id, deps, signal);
  const pid = container?.State.Pid;
  return notListeningFailure({
    port: mainPort(spec.ports) ?? 0,
    waitedSeconds: Math.round(deps.limits.listenTimeoutMs / 1000),
    listening: pid === undefined ? undefined : listeningSocketsInNamespaceOf(pid),
    lines,
  });
}
