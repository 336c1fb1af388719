import { existsSync } from 'node:fs';
import { createSemaphore, type Release } from '../../concurrency/semaphore.ts';
import type { EngineDeps } from './deps.ts';
import { isIsolated } from './instance-record.ts';
import { appLayout } from './layout.ts';
import { removePlainFiles } from './remove-app.ts';
import type { SupervisedInstance } from './supervised-instance.ts';

/*
 * Instances of versions without sandboxes keep serving after an upgrade. The reconciler starts an isolated one beside each and
 * stops the old one when the new one answers.
 */

/** So that an upgrade does not start all apps of the machine at once. */
const MAX_REPLACEMENTS = 2;

export function isOutdated(live: SupervisedInstance, { isolated }: EngineDeps): boolean {
  const record = live.record();
  return isolated !== undefined && record.exit === undefined && !isIsolated(record);
}

export type Replacements = {
  /** Starts an instance. Waits for its turn if it replaces an outdated one. */
  start(
    app: ReadonlyMap<string, SupervisedInstance>,
    signal: AbortSignal,
    start: () => Promise<SupervisedInstance>,
  ): Promise<SupervisedInstance>;
  /** The instance answers, or never will. */
  end(live: SupervisedInstance): void;
};

export function createReplacements(deps: EngineDeps): Replacements {
  const turns = createSemaphore(MAX_REPLACEMENTS);
  const taken = new Map<SupervisedInstance, Release>();

  function end(live: SupervisedInstance): void {
    taken.get(live)?.();
    taken.delete(live);
  }

  return {
    end,
    async start(app, signal, start) {
      if (![...app.values()].some((live) => isOutdated(live, deps))) return await start();
      const release = await turns.acquire(signal);
      try {
        const live = await start();
        taken.set(live, release);
        live.exitRecorded.catch(() => {}).finally(() => end(live));
        return live;
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}

/** Removes the folders of an app that has a disk, once no instance uses them. */
export async function retirePlainFiles(
  appId: string,
  instances: Iterable<SupervisedInstance>,
  deps: EngineDeps,
  signal: AbortSignal,
): Promise<void> {
  const layout = appLayout(deps.dataDir, appId);
  if (deps.isolated === undefined || !existsSync(layout.disk)) return;
  if (!existsSync(layout.releases)) return;
  if ([...instances].some((live) => isOutdated(live, deps))) return;
  await removePlainFiles(layout, signal);
}
