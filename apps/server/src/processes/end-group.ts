import { setTimeout as delay } from 'node:timers/promises';

const GRACE_MS = 5_000;
const CHECK_MS = 25;

/** Ends a process group: asks with SIGTERM, forces with SIGKILL after the grace. Resolves when it is gone. */
export async function endGroup(groupId: number, graceMs = GRACE_MS): Promise<void> {
  if (!signalGroup(groupId, 'SIGTERM')) return;
  const forceAt = performance.now() + graceMs;
  while (signalGroup(groupId, 0)) {
    if (performance.now() > forceAt) signalGroup(groupId, 'SIGKILL');
    await delay(CHECK_MS);
  }
}

/** Answers whether the group still has a member. */
function signalGroup(groupId: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-groupId, signal);
    return true;
  } catch {
    return false;
  }
}
