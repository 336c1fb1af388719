import { setTimeout as delay } from 'node:timers/promises';
import { mainPort } from '@longshore/contract';
import { listenersIn } from '../../processes/listeners.ts';
import type { Address, ReleaseSpec } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import type { Container } from './container.ts';
import { isUp } from './container.ts';
import { lastLines } from './container-lines.ts';
import { inspect } from './containers.ts';
import type { DockerParts } from './deps.ts';
import { exitEvidence, silence } from './evidence.ts';
import { answersNow } from './probe.ts';

/** Asked often at first, for apps that start at once, then less and less. */
const FIRST_PAUSE_MS = 20;
const LAST_PAUSE_MS = 250;
const PAUSE_GROWTH = 1.3;

/** Resolves once the app itself answers on its port. */
export async function waitForAnswer(
  id: string,
  address: Address,
  spec: ReleaseSpec,
  parts: DockerParts,
  signal: AbortSignal,
): Promise<void> {
  const until = performance.now() + parts.limits.answerMs;
  const port = mainPort(spec.ports);
  for (let pauseMs = FIRST_PAUSE_MS; performance.now() < until; pauseMs *= PAUSE_GROWTH) {
    signal.throwIfAborted();
    const container = await inspect(id, parts, signal);
    if (container === undefined)
      throw new EngineFailure('app-exited', ['The instance no longer exists']);
    if (!isUp(container.State)) throw await exited(container, parts, signal);
    if (port === undefined || (await answersNow(doorsOf(container, port, address)))) return;
    await delay(Math.min(pauseMs, LAST_PAUSE_MS), undefined, { signal });
  }
  throw await silent(id, spec, parts, signal);
}

function doorsOf({ NetworkSettings }: Container, port: number, published: Address) {
  const [network] = Object.values(NetworkSettings.Networks);
  const host = network?.IPAddress ?? '';
  return { own: host === '' ? undefined : { host, port }, published };
}

async function exited(
  container: Container,
  parts: DockerParts,
  signal: AbortSignal,
): Promise<EngineFailure> {
  const lines = await lastLines(container.Id, parts, signal);
  return new EngineFailure('app-exited', exitEvidence(container, lines));
}

async function silent(
  id: string,
  spec: ReleaseSpec,
  parts: DockerParts,
  signal: AbortSignal,
): Promise<EngineFailure> {
  const container = await inspect(id, parts, signal);
  const lines = await lastLines(id, parts, signal);
  const pid = container?.State.Pid;
  return silence({
    port: mainPort(spec.ports) ?? 0,
    waitedSeconds: Math.round(parts.limits.answerMs / 1000),
    listening: pid === undefined ? undefined : listenersIn(pid),
    lines,
  });
}
