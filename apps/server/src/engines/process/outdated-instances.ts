import { existsSync } from 'node:fs';
import { createSemaphore, type Release } from '../../concurrency/semaphore.ts';
import type { EngineDeps } from './deps.ts';
import { isIsolated } from './instance-record.ts';
import { appLayout } from './layout.ts';
import { retirePlainFiles } from './plain-files.ts';
import type { SupervisedInstance } from './supervised-instance.ts';

/*
 * Instances of versions without sandboxes keep serving after an upgrade. The reconciler starts an isolated one beside each and
 * stops the old one when the new one answers.
 */

/** Of apps, so that an upgrade does not start all of the machine at once. */
const MAX_REPLACEMENTS = 2;

export function isOutdated(live: SupervisedInstance, { isolated }: EngineDeps): boolean {
  const record = live.record();
  return isolated !== undefined && record.exit === undefined && !isIsolated(record);
}

type App = ReadonlyMap<string, SupervisedInstance>;

export type Replacements = {
  /** Starts an instance. If it replaces an outdated one, waits for the turn of its app, which all of its replacements share. */
  start(
    app: App,
    signal: AbortSignal,
    start: () => Promise<SupervisedInstance>,
  ): Promise<SupervisedInstance>;
  /** The instance answers, or does not in time. */
  end(live: SupervisedInstance, hasAnswered: boolean): void;
  /** Removes the plain folders of an app once an isolated instance has answered and no outdated one runs. */
  retireFiles(appId: string, app: App, signal: AbortSignal): Promise<void>;
};

export function createReplacements(deps: EngineDeps): Replacements {
  const turns = createSemaphore(MAX_REPLACEMENTS);
  const taken = new Map<SupervisedInstance, Release>();
  const answered = new WeakSet<SupervisedInstance>();

  function endTurn(live: SupervisedInstance): void {
    taken.get(live)?.();
    taken.delete(live);
  }

  return {
    end(live, hasAnswered) {
      if (hasAnswered && isIsolated(live.record())) answered.add(live);
      endTurn(live);
    },
    async start(app, signal, start) {
      const instances = [...app.values()];
      if (!instances.some((live) => isOutdated(live, deps))) return await start();
      // All are started before any is checked: waiting for more turns, apps would block themselves and each other.
      if (instances.some((live) => taken.has(live))) return await start();
      const release = await turns.acquire(signal);
      try {
        const live = await start();
        taken.set(live, release);
        live.exitRecorded.catch(() => {}).finally(() => endTurn(live));
        return live;
      } catch (error) {
        release();
        throw error;
      }
    },
    async retireFiles(appId, app, signal) {
      const layout = appLayout(deps.dataDir, appId);
      const instances = [...app.values()];
      if (deps.isolated === undefined || !existsSync(layout.releases)) return;
      if (!instances.some((live) => answered.has(live))) return;
      if (instances.some((live) => isOutdated(live, deps))) return;
      await retirePlainFiles(layout, signal);
    },
  };
}
