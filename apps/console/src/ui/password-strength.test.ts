import { describe, expect, it } from 'vitest';
import { passwordStrength } from './password-strength.ts';

describe('the strength hint', () => {
  it.each([
    ['', undefined],
    ['abc', 'Weak'],
    ['Abcdef1g', 'Fair'],
    ['abcdefghij', 'Fair'],
    ['Abcdefgh12345', 'Strong'],
    ['correct horse battery', 'Strong'],
  ])('for %j is %s', (password, strength) => {
    expect(passwordStrength(password)).toBe(strength);
  });
});
