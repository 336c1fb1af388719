import { describe, expect, it } from 'vitest';
import { envProblem } from './env.ts';

const PATTERN = 'Must start with a letter and contain only alphanumeric characters and underscores';

describe('the key of a variable', () => {
  it.each(['A', 'a', 'DATABASE_URL', 'nodeEnv', 'X1_', 'constructor', 'port', 'Port', 'PORTS'])(
    'is accepted: %s',
    (key) => {
      expect(envProblem(key, 'x')).toBeUndefined();
    },
  );

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
  ])('is rejected: %j', (key) => {
    expect(envProblem(key, 'x')).toBe(PATTERN);
  });
});

describe('the value of a variable', () => {
  it.each([
    ['', undefined],
    ['two\nlines', undefined],
    ['a'.repeat(30_000), undefined],
    ['a'.repeat(30_001), 'Environment values must be at most 30000 characters'],
    ['null\0character', 'Environment values must be text'],
    [7, 'Environment values must be text'],
  ])('%j has the problem %s', (value, problem) => {
    expect(envProblem('KEY', value)).toBe(problem);
  });
});

describe('a variable named PORT', () => {
  it.each([
    ['of a new app', '3000', undefined],
    ['with an invalid value', 7, undefined],
    ['that the app does not have', '3000', { A: '3000' }],
    ['with another value', '3000', { PORT: '80' }],
    ['of an app with unreadable variables', '3000', 'PORT=3000'],
  ])('%s is refused', (_, value, stored) => {
    expect(envProblem('PORT', value, stored)).toBe('Use the port setting');
  });

  it('that an app of an older version has may stay', () => {
    expect(envProblem('PORT', '3000', { PORT: '3000' })).toBeUndefined();
  });
});
