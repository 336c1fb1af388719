import { describe, expect, it } from 'vitest';
import { envKeyProblem, envValueProblem } from './env.ts';

const PATTERN = 'Must start with a letter and contain only alphanumeric characters and underscores';

describe('envKeyProblem', () => {
  it.each(['A', 'a', 'DATABASE_URL', 'nodeEnv', 'X1_', 'constructor'])('accepts %s', (key) => {
    expect(envKeyProblem(key)).toBeUndefined();
  });

  it.each([
    '',
    ' ',
    '_A',
    '1A',
    '__proto__',
    'A-B',
    'A.B',
    'A B',
    ' A',
    'A=',
    'A\n',
    'A\0',
    'Ä',
    'KEY\u212a',
    'A$B',
    'BASH_FUNC_x%%',
  ])('rejects %j', (key) => {
    expect(envKeyProblem(key)).toBe(PATTERN);
  });
});

describe('envValueProblem', () => {
  it.each([
    ['', undefined],
    ['two\nlines', undefined],
    ['a'.repeat(30_000), undefined],
    ['a'.repeat(30_001), 'Environment values must be at most 30000 characters'],
    ['null\0character', 'Environment values must be text'],
    [7, 'Environment values must be text'],
  ])('of %j is %s', (value, problem) => {
    expect(envValueProblem(value)).toBe(problem);
  });
});
