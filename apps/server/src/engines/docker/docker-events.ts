import { setTimeout as delay } from 'node:timers/promises';
import { processOf } from './container.ts';
import type { DockerDeps } from './deps.ts';
import { jsonLines } from './json-lines.ts';
import type { LogSource } from './log-followers.ts';
import { LABELS, labelFilter } from './ownership.ts';

export type ContainerEvent = LogSource & { action: string };

export type EventListener = {
  onEvent(event: ContainerEvent): void;
  /** Called after each connect, before the first event: earlier events may be missed. */
  onConnected(signal: AbortSignal): Promise<void>;
  /** The connection was lost. */
  onDisconnected(): void;
  onError(error: unknown): void;
};

type EventLine = { Action: string; Actor: { ID: string; Attributes: Record<string, string> } };

const FIRST_PAUSE_MS = 200;
const LAST_PAUSE_MS = 5_000;

/** Watches events of this installation's containers and reconnects. Returns a function that stops. */
export function watchEvents(deps: DockerDeps, listener: EventListener): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function reconnectLoop(): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; ) {
      const since = performance.now();
      await readEvents(deps, listener, signal).catch((error: unknown) => {
        if (!signal.aborted) listener.onError(error);
      });
      if (!signal.aborted) listener.onDisconnected();
      if (performance.now() - since > LAST_PAUSE_MS) pauseMs = FIRST_PAUSE_MS;
      await delay(pauseMs, undefined, { signal }).catch(() => {});
      pauseMs = Math.min(pauseMs * 2, LAST_PAUSE_MS);
    }
  }

  const watching = reconnectLoop();
  return async () => {
    stopping.abort();
    await watching;
  };
}

async function readEvents(
  { docker, owner }: DockerDeps,
  { onEvent, onConnected }: EventListener,
  signal: AbortSignal,
): Promise<void> {
  const filters = labelFilter(owner, {}, { type: ['container'] });
  const stream = await docker.follow('GET', '/events', { query: { filters }, signal });
  await onConnected(signal);
  for await (const { Action, Actor } of jsonLines<EventLine>(stream)) {
    const { [LABELS.app]: appId, [LABELS.instance]: instance } = Actor.Attributes;
    if (appId === undefined || instance === undefined) continue;
    const process = processOf(Actor.Attributes);
    onEvent({ action: Action, id: Actor.ID, appId, instance, process });
  }
}
