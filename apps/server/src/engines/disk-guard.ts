import { setTimeout as delay } from 'node:timers/promises';
import type { SpaceLevel } from './disk-full.ts';
import { EngineFailure } from './failure.ts';

/*
 * What apps may write is limited by more than the machine has, or not at all. Without space the database stops, and so do all
 * apps. So the apps that keep growing are stopped before.
 */

/** Keeps apps from filling the disk of the machine. */
export type DiskGuard = {
  /** Throws for an app that was stopped, at least once, until the machine has space again. */
  checkApp(appId: string): void;
  close(): Promise<void>;
};

export type GuardedMachine = {
  space(): Promise<SpaceLevel>;
  /** What each app takes of the disks of the machine. Undefined: not known yet. */
  sizes(): Promise<Map<string, number | undefined>>;
  /** Kills everything of an app. */
  stop(appId: string): Promise<void>;
};

/** How much an app may still write after the machine has become short of space. */
const MAX_GROWTH_BYTES = 64 * 1024 ** 2;
const CHECK_MS = 500;
/** How often sizes are measured while space is low. */
const CHECKS_PER_BASELINE = 20;

/**
 * The rule: `check` looks at the machine once. It measures sizes before the machine is short: an app that writes a gigabyte in
 * a second would fill it during the first measurement.
 */
export function createDiskRule({ space, sizes, stop }: GuardedMachine) {
  /** The sizes shortly before the machine became short of space, or the first ones known. */
  let baseline: Map<string, number | undefined> | undefined;
  let checksOfBaseline = 0;
  const stopped = new Map<string, { grown: number; isReported: boolean }>();
  return {
    async check(): Promise<void> {
      const level = await space();
      if (level !== 'short') {
        // Stopping an app may free the space at once; its owner must learn why it was stopped.
        for (const [appId, { isReported }] of stopped) if (isReported) stopped.delete(appId);
        checksOfBaseline += 1;
        if (level === 'enough') baseline = undefined;
        else if (baseline === undefined || checksOfBaseline > CHECKS_PER_BASELINE) {
          baseline = new Map(await sizes());
          checksOfBaseline = 0;
        }
        return;
      }
      const current = await sizes();
      baseline ??= new Map(current);
      for (const [appId, bytes] of current) {
        if (bytes === undefined) continue;
        // An app that is new since then has grown from nothing.
        const before = baseline.has(appId) ? (baseline.get(appId) ?? bytes) : 0;
        baseline.set(appId, before);
        const grown = bytes - before;
        if (grown <= MAX_GROWTH_BYTES || stopped.has(appId)) continue;
        stopped.set(appId, { grown, isReported: false });
        await stop(appId);
      }
    },
    checkApp(appId: string): void {
      const found = stopped.get(appId);
      if (found === undefined) return;
      found.isReported = true;
      const mebibytes = Math.round(found.grown / 1024 ** 2);
      throw new EngineFailure('disk-full', [
        `The app was stopped: it wrote ${mebibytes} MiB after the machine had become short of disk space`,
      ]);
    },
  };
}

/** Applies the rule all the time. */
export function startDiskGuard(
  machine: GuardedMachine,
  logError: (error: unknown) => void,
): DiskGuard {
  const rule = createDiskRule(machine);
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
