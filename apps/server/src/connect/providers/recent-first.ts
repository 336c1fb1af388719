import type { Repository } from '@longshore/contract';
import type { Listed } from './git-provider.ts';

/** Pages move while they are read: what was seen twice counts once. */
export function recentFirst({ entries, isCut }: Listed<Repository>): Listed<Repository> {
  const distinct = [...new Map(entries.map((entry) => [entry.id, entry])).values()];
  return { entries: distinct.sort(byActivity), isCut };
}

function byActivity(one: Repository, other: Repository): number {
  const [oneAt, otherAt] = [one.activeAt ?? '', other.activeAt ?? ''];
  if (oneAt !== otherAt) return oneAt < otherAt ? 1 : -1;
  return one.full_name < other.full_name ? -1 : 1;
}
