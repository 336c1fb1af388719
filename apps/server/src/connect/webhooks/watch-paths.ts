import { EXCLUSION } from '@longshore/contract';

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
  return matchesSequence(isName ? [...expected, '**'] : expected, segments, SEGMENTS);
}

/** `many`: matches any number of parts. */
type Wildcards = { many: string; isMatch(expected: string, part: string): boolean };

const SEGMENTS: Wildcards = {
  many: '**',
  isMatch: (expected, segment) => matchesSequence(expected, segment, CHARACTERS),
};

const CHARACTERS: Wildcards = {
  many: '*',
  isMatch: (expected, character) => expected === '?' || expected === character,
};

/**
 * Retries only the last `many`, which is enough: what an earlier one could match more, the last one can too. So no pattern
 * takes longer than the product of both lengths, unlike with regular expressions.
 */
function matchesSequence(
  expected: ArrayLike<string>,
  parts: ArrayLike<string>,
  { many, isMatch }: Wildcards,
): boolean {
  let [next, at] = [0, 0];
  let retry: { next: number; at: number } | undefined;
  while (at < parts.length) {
    const wanted = expected[next];
    if (wanted === many) {
      next += 1;
      retry = { next, at };
    } else if (wanted !== undefined && isMatch(wanted, parts[at] as string)) {
      next += 1;
      at += 1;
    } else if (retry !== undefined) {
      retry.at += 1;
      ({ next, at } = retry);
    } else return false;
  }
  while (expected[next] === many) next += 1;
  return next === expected.length;
}
