import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { APP_NAME_MAX_LENGTH, appNameProblem } from './app-name.ts';
import { autoDomain } from './domain.ts';

const REQUIRED = 'Application name is required';
const PATTERN = 'Must be lowercase a-z, 0-9, and - (no spaces or uppercase)';

describe('appNameProblem', () => {
  it.each(['a', '7', 'shop', 'my-build-tool', 'a--b', '0-0', 'x'.repeat(APP_NAME_MAX_LENGTH)])(
    'accepts %j',
    (name) => {
      expect(appNameProblem(name)).toBeUndefined();
    },
  );

  it.each(['', ' ', '\t\n'])('requires a name when it is %j', (name) => {
    expect(appNameProblem(name)).toBe(REQUIRED);
  });

  it.each([
    'Shop',
    'my shop',
    ' shop',
    'shop ',
    'shop\n',
    '-shop',
    'shop-',
    '-',
    'my_shop',
    'my.shop',
    'shöp',
    'ѕhop',
    'shop/../x',
    '--help',
  ])('rejects %j', (name) => {
    expect(appNameProblem(name)).toBe(PATTERN);
  });

  it('rejects a name that leaves no room for the hash in its domain label', () => {
    expect(appNameProblem('x'.repeat(APP_NAME_MAX_LENGTH + 1))).toBe(
      'Must be at most 50 characters',
    );
  });

  it('accepts only names whose automatic domain has a valid label of at most 63 characters', () => {
    const name = fc.oneof(fc.string(), fc.stringMatching(/^[a-z0-9-]{1,70}$/));
    fc.assert(
      fc.property(name, fc.uuid(), (candidate, id) => {
        fc.pre(appNameProblem(candidate) === undefined);
        const [label] = autoDomain({ id, name: candidate }, 'example.com').split('.');
        expect(label).toMatch(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/);
      }),
    );
  });
});
