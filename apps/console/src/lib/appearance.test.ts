import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { runInNewContext } from 'node:vm';
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

describe('the script that runs before the first paint', () => {
  const workspace = resolve(import.meta.dirname, '../..');
  const script = readFileSync(resolve(workspace, 'public/appearance.js'), 'utf8');

  it.each([
    [null, false, 'light'],
    [null, true, 'dark'],
    ['system', true, 'dark'],
    ['light', true, 'light'],
    ['dark', false, 'dark'],
    ['amber', false, 'amber'],
    ['amber', true, 'amber'],
    ['nonsense', true, 'dark'],
  ])('with the stored theme %j and a dark system: %s, sets %s', (theme, isDark, shown) => {
    expect(run({ theme }, isDark).theme).toBe(shown);
  });

  it.each([
    [null, 'amber'],
    ['teal', 'teal'],
  ])('with the stored accent %j sets %s', (accentColor, accent) => {
    expect(run({ accentColor }, false).accent).toBe(accent);
  });

  it('follows the system if the browser denies access to the storage', () => {
    expect(run('denied', true)).toEqual({ theme: 'dark', accent: 'amber' });
  });

  it.each(['index.html', 'guide/render-page.ts'])('blocks the body in %s', (page) => {
    const html = readFileSync(resolve(workspace, page), 'utf8');
    const at = html.indexOf('<script src="/appearance.js"></script>');
    expect(at).toBeGreaterThan(html.indexOf('<head>'));
    expect(at).toBeLessThan(html.indexOf('<body'));
  });

  function run(stored: Record<string, string | null> | 'denied', systemIsDark: boolean) {
    const documentElement = { dataset: {} as Record<string, string> };
    runInNewContext(script, {
      document: { documentElement },
      localStorage: {
        getItem(key: string) {
          if (stored === 'denied') throw new Error('Access denied');
          return stored[key] ?? null;
        },
      },
      matchMedia: (query: string) => ({
        matches: query === '(prefers-color-scheme: dark)' && systemIsDark,
      }),
    });
    return documentElement.dataset;
  }
});
