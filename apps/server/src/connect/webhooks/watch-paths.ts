import { EXCLUSION } from '@longshore/contract';
import { matchesPath } from '../../matches-glob.ts';

/** Whether a change of this file deploys the app. The last pattern that matches the path decides. */
export function isWatched(path: string, patterns: readonly string[]): boolean {
  const segments = path.split('/');
  const last = patterns.findLast((pattern) => matchesPattern(segments, pattern));
  return last !== undefined && !last.startsWith(EXCLUSION);
}

/** Everything but `*`, `?` and `**` stands for itself: `(shop)` and `[slug]` are folders of web frameworks. */
function matchesPattern(segments: string[], pattern: string): boolean {
  const path = pattern.startsWith(EXCLUSION) ? pattern.slice(EXCLUSION.length) : pattern;
  const expected = path.split('/');
  // The name of a folder stands for everything in it.
  const isName = !/[*?]/.test(expected.at(-1) ?? '');
  return matchesPath(segments, isName ? [...expected, '**'] : expected);
}
