import type { AccountUsage, Usage } from '@longshore/contract';
import { MESSAGES } from '../messages.ts';

export type UsageRow = {
  name: string;
  text: string;
  /** From 0 to 1. Undefined without a limit. */
  share: number | undefined;
  /** Set when the limit is reached: what that means, and what to do. */
  advice: string | undefined;
};

const { usage: TEXTS } = MESSAGES;
const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/** The rows of the usage card. Memory and CPU are used up when no further app can wake. */
export function usageRows(usage: AccountUsage): UsageRow[] {
  const { apps, memoryBytes, cpus, builds, diskBytes, perApp } = usage;
  const waiting = builds.waiting > 0 ? TEXTS.waiting(builds.waiting) : undefined;
  const { names, advice } = TEXTS;
  return [
    { ...row(names.apps, apps), advice: ifReached(apps, 1, advice.apps) },
    {
      ...row(names.memory, memoryBytes, bytesText),
      advice: ifReached(memoryBytes, perApp.memoryBytes, advice.memory),
    },
    { ...row(names.cpu, cpus), advice: ifReached(cpus, perApp.cpus, advice.cpu) },
    { ...row(names.builds, builds), advice: waiting },
    { ...row(names.disk, diskBytes, bytesText), advice: ifReached(diskBytes, 1, advice.disk) },
  ];
}

/** With a limit: both amounts, such as `512 MB of 4 GB`. */
function row(
  name: string,
  { used, limit }: Usage,
  text: (amount: number) => string = String,
): Omit<UsageRow, 'advice'> {
  if (used === null) return { name, text: TEXTS.notMeasured, share: undefined };
  if (limit === null) return { name, text: TEXTS.unlimited(text(used)), share: undefined };
  return { name, text: TEXTS.limited(text(used), text(limit)), share: Math.min(1, used / limit) };
}

/** The advice, if there is no room for what is needed. */
function ifReached({ used, limit }: Usage, needed: number, advice: string): string | undefined {
  return used !== null && limit !== null && used + needed > limit ? advice : undefined;
}

export function bytesText(bytes: number): string {
  if (bytes < GIB) return `${Math.round(bytes / MIB)} MB`;
  return `${(bytes / GIB).toFixed(1).replace(/\.0$/, '')} GB`;
}
