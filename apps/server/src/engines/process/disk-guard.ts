import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { ControlGroups } from '../../processes/control-groups/control-groups.ts';
import { EngineFailure } from '../failure.ts';
import { killGroupsOfApp } from './app-control-groups.ts';
import type { DiskGuard } from './deps.ts';
import { isMachineShort } from './disk-space.ts';
import { appLayout, appsFolder } from './layout.ts';
import { listFolder } from './release-record.ts';

/*
 * The disks of apps take space of the machine only as they fill up, so together they may be larger than the machine. Without
 * space the database stops and the disks of all apps become read-only. So the apps that keep growing are stopped before.
 */

/** How much an app may still write after the machine has become short of space. */
const MAX_GROWTH_BYTES = 64 * 1024 ** 2;
const BLOCK_BYTES = 512;
const CHECK_MS = 500;

export type GuardedMachine = {
  isShort(): Promise<boolean>;
  /** What the disk of each app takes of the machine. */
  sizes(): Promise<Map<string, number>>;
  /** Kills everything of an app. */
  stop(appId: string): Promise<void>;
};

/** The rule: `check` looks at the machine once. */
export function createDiskRule({ isShort, sizes, stop }: GuardedMachine) {
  /** The sizes when the machine became short of space. */
  let baseline: Map<string, number> | undefined;
  const stopped = new Map<string, number>();
  return {
    async check(): Promise<void> {
      if (!(await isShort())) {
        baseline = undefined;
        stopped.clear();
        return;
      }
      const current = await sizes();
      baseline ??= current;
      for (const [appId, bytes] of current) {
        const grown = bytes - (baseline.get(appId) ?? 0);
        if (grown <= MAX_GROWTH_BYTES || stopped.has(appId)) continue;
        stopped.set(appId, grown);
        await stop(appId);
      }
    },
    checkApp(appId: string): void {
      const grown = stopped.get(appId);
      if (grown === undefined) return;
      const mebibytes = Math.round(grown / 1024 ** 2);
      throw new EngineFailure('disk-full', [
        `The app was stopped: it wrote ${mebibytes} MiB after the machine had become short of disk space`,
      ]);
    },
  };
}

/** Applies the rule all the time. */
export function startDiskGuard(
  dataDir: string,
  groups: ControlGroups | undefined,
  logError: (error: unknown) => void,
): DiskGuard {
  const rule = createDiskRule({
    isShort: () => isMachineShort(dataDir),
    sizes: () => sizesOfDisks(dataDir),
    stop: (appId) => killGroupsOfApp(groups, appId),
  });
  const closing = new AbortController();
  const { signal } = closing;
  async function guard(): Promise<void> {
    while (!signal.aborted) {
      await rule.check().catch(logError);
      await delay(CHECK_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  }
  const guarding = guard();
  return {
    checkApp: rule.checkApp,
    async close() {
      closing.abort();
      await guarding;
    },
  };
}

async function sizesOfDisks(dataDir: string): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const appId of await listFolder(appsFolder(dataDir))) {
    const image = await stat(appLayout(dataDir, appId).disk).catch(() => undefined);
    if (image !== undefined) sizes.set(appId, image.blocks * BLOCK_BYTES);
  }
  return sizes;
}
