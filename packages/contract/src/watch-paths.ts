import { normalizedPath, repositoryPathProblem } from './build-settings.ts';
import { invalid, type Parsed, valid } from './parsed.ts';

const FIELD = 'watchPaths';
const MAX_PATTERNS = 20;

/** Starts a pattern that excludes. */
export const EXCLUSION = '!';

/** Absent and empty lists are the same: every push is deployed. */
export function parseWatchPaths(value: unknown): Parsed<string[] | undefined> {
  if (value === undefined || value === null) return valid(undefined);
  if (!Array.isArray(value)) return invalid(FIELD, 'Must be a list of patterns');
  if (value.some((pattern) => typeof pattern !== 'string')) {
    return invalid(FIELD, 'Each pattern must be text');
  }
  const problem = watchPathsProblem(value);
  if (problem !== undefined) return invalid(FIELD, problem);
  const patterns = [...new Set(value.map(normalizedPattern))];
  return valid(patterns.length === 0 ? undefined : patterns);
}

/** Of a whole list, as it is typed. Names the pattern. */
export function watchPathsProblem(patterns: readonly string[]): string | undefined {
  if (patterns.length > MAX_PATTERNS) return `At most ${MAX_PATTERNS} patterns are allowed`;
  for (const pattern of patterns) {
    const problem = patternProblem(pattern);
    if (problem !== undefined) return `${JSON.stringify(pattern)}: ${problem}`;
  }
  const isOnlyExclusions = patterns.length > 0 && patterns.every(isExclusion);
  return isOnlyExclusions ? 'At least one pattern must not start with !' : undefined;
}

function patternProblem(pattern: string): string | undefined {
  const path = pathOf(pattern);
  // They would silently match nothing: alternatives are patterns of their own.
  if (/[{}]/.test(path)) return 'Braces are not supported. Use one pattern for each alternative';
  const problem = repositoryPathProblem(path);
  if (problem !== undefined) return problem;
  return normalizedPath(path) === undefined ? 'Must name a file or folder' : undefined;
}

function normalizedPattern(pattern: string): string {
  return `${isExclusion(pattern) ? EXCLUSION : ''}${normalizedPath(pathOf(pattern))}`;
}

function isExclusion(pattern: string): boolean {
  return pattern.trimStart().startsWith(EXCLUSION);
}

function pathOf(pattern: string): string {
  const text = pattern.trim();
  return isExclusion(text) ? text.slice(EXCLUSION.length) : text;
}
