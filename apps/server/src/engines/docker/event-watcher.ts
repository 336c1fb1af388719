import { listOwnContainers } from './containers.ts';
import type { DockerDeps } from './deps.ts';
import { isEngineDown } from './docker-error.ts';
import { type ContainerEvent, watchEvents } from './docker-events.ts';
import type { LogFollowers } from './log-followers.ts';
import { LABELS } from './ownership.ts';

type EventWatcherDeps = {
  followers: LogFollowers;
  changed(appId: string): void;
  onError(error: unknown): void;
};

/** Follows the log of every container that starts, and tells what happened to one by itself. Answers how to stop. */
export function startEventWatcher(
  parts: DockerDeps,
  { followers, changed, onError }: EventWatcherDeps,
): () => Promise<void> {
  /** The app of each container that started already: its first start was ours, and is no news. */
  const seen = new Map<string, string>();

  function onEvent({ action, id, appId, instance }: ContainerEvent): void {
    if (action === 'start') followers.follow({ id, appId, instance });
    if (action === 'die') void followers.finish({ id, appId, instance });
    if (isUnexpectedChange(action, seen.has(id))) changed(appId);
    if (action === 'start') seen.set(id, appId);
    if (action === 'destroy') seen.delete(id);
  }

  /** After a start of ours or the Engine's, every container may have said or done something, or be gone. */
  async function onLine(signal: AbortSignal): Promise<void> {
    const containers = await listOwnContainers(parts, {}, signal);
    const apps = new Set(seen.values());
    seen.clear();
    for (const { Id, State, Labels } of containers) {
      if (State === 'created') continue;
      const appId = Labels[LABELS.app] ?? '';
      seen.set(Id, appId);
      apps.add(appId);
      followers.follow({ id: Id, appId, instance: Labels[LABELS.instance] ?? '' });
    }
    for (const appId of apps) changed(appId);
  }

  return watchEvents(parts, {
    onEvent,
    onConnected: onLine,
    // That Docker is down each pass says by itself, to whom it concerns.
    onDisconnected() {
      for (const appId of new Set(seen.values())) changed(appId);
    },
    onError: (error) => isEngineDown(error) || onError(error),
  });
}

export function isUnexpectedChange(action: string, isSeen: boolean): boolean {
  return action === 'die' || action === 'destroy' || (action === 'start' && isSeen);
}
