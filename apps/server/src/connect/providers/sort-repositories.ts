import type { Repository } from '@longshore/contract';
import type { Listed } from './git-provider.ts';

/** Most recently active first. Removes duplicates, which occur when a list changes while its pages are read. */
export function sortByActivity({ entries, isCut }: Listed<Repository>): Listed<Repository> {
  const distinct = [...new Map(entries.map((entry) => [entry.id, entry])).values()];
  return { entries: distinct.sort(byActivity), isCut };
}

function byActivity(one: Repository, other: Repository): number {
  const [oneAt, otherAt] = [one.activeAt ?? '', other.activeAt ?? ''];
  if (oneAt !== otherAt) return oneAt < otherAt ? 1 : -1;
  return one.full_name < other.full_name ? -1 : 1;
}
