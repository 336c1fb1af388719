import { setTimeout as delay } from 'node:timers/promises';
import { DEFAULT_PORT, mainPort } from '@longshore/contract';
import type { ListeningSocket } from '../../processes/listening-sockets.ts';
import type { ReleaseSpec } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { createOtherPortFinder } from '../find-other-port.ts';
import { notListeningFailure } from '../not-listening.ts';
import { type Container, exposedPort, isRunning, ownEndpoint, toInstance } from './container.ts';
import { readLastLines } from './container-lines.ts';
import { listeningSocketsOfContainer } from './container-sockets.ts';
import { inspectContainer } from './containers.ts';
import type { DockerDeps } from './deps.ts';
import { acceptsConnections, type Endpoints } from './port-probe.ts';

/** Short intervals first, for apps that start quickly, then longer ones. */
const FIRST_PAUSE_MS = 20;
const LAST_PAUSE_MS = 250;
const PAUSE_GROWTH = 1.3;

/** `elsewhere`: no port was chosen, and the app listens on this one instead of the one that it was given. */
export type FoundPort = { kind: 'listening' } | { kind: 'elsewhere'; port: number };

/** Resolves once the app itself, not Docker's proxy or the kernel, has accepted a connection on its port. */
export async function waitUntilListening(
  id: string,
  spec: ReleaseSpec,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<FoundPort> {
  const { graceSeconds } = spec;
  const timeoutMs = graceSeconds === undefined ? deps.limits.listenTimeoutMs : graceSeconds * 1_000;
  const until = performance.now() + timeoutMs;
  const isPortChosen = mainPort(spec.ports) !== DEFAULT_PORT;
  const findOtherPort = createOtherPortFinder(() => performance.now());
  let isConnected = false;
  let isVisible = false;
  for (let pauseMs = FIRST_PAUSE_MS; performance.now() < until; pauseMs *= PAUSE_GROWTH) {
    signal.throwIfAborted();
    const container = await inspectContainer(id, deps, signal);
    if (container === undefined)
      throw new EngineFailure('app-exited', ['The instance no longer exists']);
    if (!isRunning(container.State)) throw await exitFailure(container, deps, signal);
    const port = exposedPort(container);
    if (port === undefined) return { kind: 'listening' };
    const wasConnected = isConnected;
    isConnected ||= await acceptsConnections(endpointsOf(container, port));
    const listening = listeningSocketsOfContainer(container);
    isVisible ||= listening !== undefined;
    if (isConnected && (!isVisible || hasAccepted(listening))) return { kind: 'listening' };
    if (isConnected && !wasConnected) pauseMs = FIRST_PAUSE_MS;
    const sockets = isPortChosen ? [] : (listening ?? []);
    const isOnPort = sockets.some((socket) => socket.port === port);
    const other = isOnPort ? undefined : findOtherPort(sockets);
    // Nothing outside of a container reaches its 127.0.0.1.
    if (other !== undefined && !other.isLoopback) return { kind: 'elsewhere', port: other.port };
    await delay(Math.min(pauseMs, LAST_PAUSE_MS), undefined, { signal });
  }
  // It may load for longer.
  if (isConnected) return { kind: 'listening' };
  throw await timeoutFailure(id, { deps, timeoutMs }, signal);
}

/** The kernel completes connections before the program accepts them. */
function hasAccepted(listening: ListeningSocket[] = []): boolean {
  return listening.length > 0 && listening.every(({ waiting }) => waiting === 0);
}

function endpointsOf(container: Container, port: number): Endpoints {
  const host = ownEndpoint(container)?.IPAddress ?? '';
  const { address: published } = toInstance(container);
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
  { deps, timeoutMs }: { deps: DockerDeps; timeoutMs: number },
  signal: AbortSignal,
): Promise<EngineFailure> {
  const container = await inspectContainer(id, deps, signal);
  const lines = await readLastLines(id, deps, signal);
  return notListeningFailure({
    port: (container && exposedPort(container)) ?? 0,
    waitedSeconds: Math.round(timeoutMs / 1000),
    listening: container && listeningSocketsOfContainer(container),
    isLoopbackReached: false,
    lines,
  });
}
