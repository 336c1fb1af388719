const MAX_PATTERN_LENGTH = 1_000;
const MAX_ALTERNATIVES = 100;

/**
 * Whether a path matches a pattern of a repository, with `*`, `?`, `**` and `{a,b}`. Node's own function and the usual packages
 * compile patterns to regular expressions, so that a hostile pattern stops the server for minutes.
 */
export function matchesGlob(path: string, pattern: string): boolean {
  const segments = path.split('/');
  return alternativesOf(pattern).some((it) => matchesPath(segments, it.split('/')));
}

/** The patterns without braces that a pattern stands for; none if it is too long or they are too many. */
function alternativesOf(pattern: string): string[] {
  const done: string[] = [];
  const left = pattern.length > MAX_PATTERN_LENGTH ? [] : [pattern];
  for (const next of left) {
    const [group, list] = /\{([^{}]*,[^{}]*)\}/.exec(next) ?? [];
    if (group === undefined || list === undefined) done.push(next);
    else left.push(...list.split(',').map((each) => next.replace(group, () => each)));
    if (left.length > MAX_ALTERNATIVES) return [];
  }
  return done;
}

/** `expected` may contain `**`, which stands for any number of segments. */
export function matchesPath(segments: string[], expected: string[]): boolean {
  return matchesSequence(expected, segments, SEGMENTS);
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
