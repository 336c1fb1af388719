import { isStorable } from './characters.ts';
import { invalid, type Parsed, valid } from './parsed.ts';
import { isRecord } from './type-guards.ts';

export type ProjectValues = { userId: string; name: string };

const NAME_MAX_LENGTH = 100;

export function projectNameProblem(name: string): string | undefined {
  const { length } = name.trim();
  if (length === 0 || !isStorable(name)) return 'Please enter a valid project name';
  return length > NAME_MAX_LENGTH ? `Must be at most ${NAME_MAX_LENGTH} characters` : undefined;
}

export function parseProjectValues(values: unknown): Parsed<ProjectValues> {
  if (!isRecord(values)) return invalid('values', 'Project values must be an object');
  const { userId, name } = values;
  if (typeof userId !== 'string' || userId === '') {
    return invalid('userId', 'User ID missing, please sign in again');
  }
  const problem = typeof name === 'string' ? projectNameProblem(name) : projectNameProblem('');
  return problem === undefined
    ? valid({ userId, name: String(name).trim() })
    : invalid('name', problem);
}
