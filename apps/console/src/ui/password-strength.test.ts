import { describe, expect, it } from 'vitest';
import { passwordStrength } from './password-strength.ts';

describe('the strength hint', () => {
  it.each([
    ['', undefined],
    ['abc', 'weak'],
    ['Abcdef1g', 'fair'],
    ['abcdefghij', 'fair'],
    ['Abcdefgh12345', 'strong'],
    ['correct horse battery', 'strong'],
  ])('for %j is %s', (password, strength) => {
    expect(passwordStrength(password)).toBe(strength);
  });
});
