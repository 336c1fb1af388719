import { processOf } from './container.ts';
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

/** Follows the log of every started container and reports unexpected changes. Returns a function that stops. */
export function startEventWatcher(
  deps: DockerDeps,
  { followers, changed, onError }: EventWatcherDeps,
): () => Promise<void> {
  /** The apps of started containers by container id. The first start was requested by this server and is not reported. */
  const startedApps = new Map<string, string>();

  function onEvent({ action, ...container }: ContainerEvent): void {
    const { id, appId } = container;
    if (action === 'start') followers.follow(container);
    if (action === 'die') void followers.finish(container);
    if (isUnexpectedChange(action, startedApps.has(id))) changed(appId);
    if (action === 'start') startedApps.set(id, appId);
    if (action === 'destroy') startedApps.delete(id);
  }

  /** After a (re)connect every container may have new logs, have changed or be gone. */
  async function onConnected(signal: AbortSignal): Promise<void> {
    const containers = await listOwnContainers(deps, {}, signal);
    const apps = new Set(startedApps.values());
    startedApps.clear();
    for (const { Id, State, Labels } of containers) {
      if (State === 'created') continue;
      const appId = Labels[LABELS.app] ?? '';
      startedApps.set(Id, appId);
      apps.add(appId);
      const instance = Labels[LABELS.instance] ?? '';
      followers.follow({ id: Id, appId, instance, process: processOf(Labels) });
    }
    for (const appId of apps) changed(appId);
  }

  return watchEvents(deps, {
    onEvent,
    onConnected,
    // Each pass reports that Docker is down, so it is not logged here.
    onDisconnected() {
      for (const appId of new Set(startedApps.values())) changed(appId);
    },
    onError: (error) => isEngineDown(error) || onError(error),
  });
}

export function isUnexpectedChange(action: string, isSeen: boolean): boolean {
  return action === 'die' || action === 'destroy' || (action === 'start' && isSeen);
}
