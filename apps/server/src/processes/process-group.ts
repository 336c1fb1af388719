import { setTimeout as delay } from 'node:timers/promises';
import { isRunning, listProcesses } from './process-table.ts';

const GRACE_MS = 5_000;
const CHECK_MS = 25;
/** A process that survives SIGKILL this long hangs inside the kernel and cannot be stopped. */
const FORCED_MS = 5_000;

export type StopOptions = { graceMs?: number; signal?: AbortSignal };

/**
 * Stops a process group: SIGTERM, then SIGKILL after the grace period. Returns whether the group is gone. An abort only ends
 * the waiting.
 */
export async function stopProcessGroup(
  groupId: number,
  options: StopOptions = {},
): Promise<boolean> {
  const { graceMs = GRACE_MS, signal } = options;
  if (!signalGroup(groupId, 'SIGTERM')) return true;
  if (await isGroupGoneWithin(groupId, graceMs, signal)) return true;
  signalGroup(groupId, 'SIGKILL');
  return await isGroupGoneWithin(groupId, FORCED_MS, signal);
}

async function isGroupGoneWithin(
  groupId: number,
  limitMs: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const until = performance.now() + limitMs;
  while (isGroupAlive(groupId)) {
    if (performance.now() >= until) return false;
    await delay(CHECK_MS, undefined, signal === undefined ? {} : { signal });
  }
  return true;
}

/** The kernel still finds a group of zombies, so the process table decides. */
function isGroupAlive(groupId: number): boolean {
  if (!signalGroup(groupId, 0)) return false;
  return listProcesses().some((entry) => entry.groupId === groupId && isRunning(entry));
}

export function leadsGroup(pid: number): boolean {
  return signalGroup(pid, 0);
}

/** Returns whether the group still has a member. */
function signalGroup(groupId: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-groupId, signal);
    return true;
  } catch {
    return false;
  }
}
