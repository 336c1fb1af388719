import { accepted, isRecord, type Parsed, refused } from './parsed.ts';
import { isStorable } from './storable.ts';

/** Spec §3, Project values. */
export type ProjectValues = { userId: string; name: string };

const NAME_MAX_LENGTH = 100;

/** Spec §5, Project name. */
export function projectNameProblem(name: string): string | undefined {
  const { length } = name.trim();
  if (length === 0 || !isStorable(name)) return 'Please enter a valid project name';
  return length > NAME_MAX_LENGTH ? `Must be at most ${NAME_MAX_LENGTH} characters` : undefined;
}

export function parseProjectValues(values: unknown): Parsed<ProjectValues> {
  if (!isRecord(values)) return refused('values', 'Project values must be an object');
  const { userId, name } = values;
  if (typeof userId !== 'string' || userId === '') {
    return refused('userId', 'User ID missing, please sign in again');
  }
  const problem = typeof name === 'string' ? projectNameProblem(name) : projectNameProblem('');
  return problem === undefined
    ? accepted({ userId, name: String(name).trim() })
    : refused('name', problem);
}
