import { describe, expect, it } from 'vitest';
import { knownAccent, shownTheme, toggledTheme } from './appearance.ts';

describe('the theme', () => {
  it.each([
    [null, false, 'light'],
    [null, true, 'dark'],
    ['system', true, 'dark'],
    ['light', true, 'light'],
    ['amber', true, 'amber'],
    ['nonsense', false, 'light'],
  ])('stored as %j, with a dark system: %s, is %s', (stored, systemIsDark, shown) => {
    expect(shownTheme(stored, systemIsDark)).toBe(shown);
  });

  it.each([
    ['dark', 'light'],
    ['light', 'dark'],
    ['amber', 'dark'],
  ] as const)('%s toggles to %s', (theme, next) => {
    expect(toggledTheme(theme)).toBe(next);
  });
});

describe('the accent', () => {
  it.each([
    [null, 'amber'],
    ['nonsense', 'amber'],
    ['teal', 'teal'],
  ])('stored as %j is %s', (stored, accent) => {
    expect(knownAccent(stored)).toBe(accent);
  });
});
