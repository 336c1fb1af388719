type Version = readonly [major: number, minor: number, patch: number];
/** `from` is included, `below` is not. */
type Interval = { from: Version; below: Version };

const LOWEST: Version = [0, 0, 0];
const HIGHEST: Version = [Number.MAX_SAFE_INTEGER, 0, 0];
const PARTIAL = String.raw`v?(\d+|[xX*])(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?[\w.+-]*`;
const COMPARATOR = new RegExp(`^(>=|<=|>|<|=|\\^|~>?|)\\s*${PARTIAL}$`);
const HYPHEN = new RegExp(`^${PARTIAL}\\s+-\\s+${PARTIAL}$`);

/** Whether a version is in a range as npm writes it; undefined when the range cannot be read. */
export function isInRange(version: string, range: string): boolean | undefined {
  const wanted = parse(version);
  const alternatives = range.split('||').map((part) => intervalOf(part.trim()));
  if (wanted === undefined || alternatives.some((it) => it === undefined)) return undefined;
  return alternatives.some((it) => it !== undefined && isIn(wanted, it));
}

/** The highest major version that a range allows, at most `newest`; undefined when the range cannot be read. */
export function highestMajor(range: string, newest: number): number | undefined {
  const majors = Array.from({ length: newest + 1 }, (_, index) => newest - index);
  return majors.find((major) => {
    const alternatives = range.split('||').map((part) => intervalOf(part.trim()));
    return alternatives.some(
      (it) =>
        it !== undefined &&
        isBefore(it.from, [major + 1, 0, 0]) &&
        isBefore([major, 0, 0], it.below),
    );
  });
}

function intervalOf(text: string): Interval | undefined {
  const hyphen = HYPHEN.exec(text);
  if (hyphen !== null) {
    const [, major, minor, patch, toMajor, toMinor, toPatch] = hyphen;
    const from = comparator('>=', [major, minor, patch]);
    const to = comparator('<=', [toMajor, toMinor, toPatch]);
    return intersection([from, to]);
  }
  const words = text
    .replace(/([<>=~^])\s+/g, '$1')
    .split(/\s+/)
    .filter((word) => word !== '');
  const parsed = words.map((word) => {
    const [, operator = '', major, minor, patch] = COMPARATOR.exec(word) ?? [];
    return major === undefined ? undefined : comparator(operator, [major, minor, patch]);
  });
  if (parsed.some((it) => it === undefined)) return undefined;
  return intersection(parsed.filter((it) => it !== undefined));
}

function comparator(operator: string, parts: (string | undefined)[]): Interval {
  const numbers = parts.map((part) =>
    part === undefined || /[xX*]/.test(part) ? undefined : Number(part),
  );
  const [major, minor, patch] = numbers;
  if (major === undefined) return { from: LOWEST, below: HIGHEST };
  const from: Version = [major, minor ?? 0, patch ?? 0];
  const after: Version =
    minor === undefined
      ? [major + 1, 0, 0]
      : patch === undefined
        ? [major, minor + 1, 0]
        : [major, minor, patch + 1];
  switch (operator) {
    case '>=':
      return { from, below: HIGHEST };
    case '>':
      return { from: after, below: HIGHEST };
    case '<':
      return { from: LOWEST, below: from };
    case '<=':
      return { from: LOWEST, below: after };
    case '^':
      return { from, below: [major + 1, 0, 0] };
    case '~':
    case '~>':
      return { from, below: minor === undefined ? after : [major, minor + 1, 0] };
    default:
      return { from, below: after };
  }
}

function intersection(intervals: Interval[]): Interval {
  return intervals.reduce(
    (one, other) => ({
      from: isBefore(one.from, other.from) ? other.from : one.from,
      below: isBefore(one.below, other.below) ? one.below : other.below,
    }),
    { from: LOWEST, below: HIGHEST },
  );
}

function parse(version: string): Version | undefined {
  const [, major, minor = '0', patch = '0'] =
    /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(version) ?? [];
  return major === undefined ? undefined : [Number(major), Number(minor), Number(patch)];
}

function isIn(version: Version, { from, below }: Interval): boolean {
  return !isBefore(version, from) && isBefore(version, below);
}

function isBefore(one: Version, other: Version): boolean {
  const at = one.findIndex((part, index) => part !== other[index]);
  return at !== -1 && (one[at] ?? 0) < (other[at] ?? 0);
}
