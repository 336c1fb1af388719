import type { AccountUsage, Usage, User } from '@longshore/contract';
import { MESSAGES } from '../messages.ts';

export type DeployLimit = { headline: string; text: string };

const { limits: TEXTS } = MESSAGES;

/** Why the server would refuse a new app now. Undefined: it would not, or that is not known. */
export function deployLimit(
  { isAnonymous }: Pick<User, 'isAnonymous'>,
  usage: AccountUsage | undefined,
): DeployLimit | undefined {
  if (isAnonymous) return TEXTS.anonymous;
  if (usage === undefined) return undefined;
  const { apps, memoryBytes, cpus, perApp } = usage;
  if (isReached(apps, 1)) return TEXTS.apps(apps.used ?? 0, apps.limit ?? 0);
  if (isReached(memoryBytes, perApp.memoryBytes)) return TEXTS.memory;
  if (isReached(cpus, perApp.cpus)) return TEXTS.cpu;
  return undefined;
}

function isReached({ used, limit }: Usage, needed: number): boolean {
  return used !== null && limit !== null && used + needed > limit;
}
