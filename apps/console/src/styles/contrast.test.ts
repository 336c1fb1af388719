import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ACCENTS } from '@longshore/contract';
import { describe, expect, it } from 'vitest';

const accentsCss = readFileSync(join(import.meta.dirname, 'accents.css'), 'utf8');
const themesCss = readFileSync(join(import.meta.dirname, 'themes.css'), 'utf8');
const READABLE = 4.5;

describe('colours', () => {
  it.each(ACCENTS)('keep text on the accent %s readable', (accent) => {
    const colours = variablesOf(accentsCss, `[data-accent="${accent}"]`);
    expect(contrast(colours, 'on-accent', 'accent')).toBeGreaterThanOrEqual(READABLE);
  });

  it.each(
    ACCENTS.flatMap((accent) => [
      { accent, theme: 'light', ink: 'ink-light' },
      { accent, theme: 'amber', ink: 'ink-light' },
      { accent, theme: 'dark', ink: 'ink-dark' },
    ]),
  )('keep $accent links readable in the $theme theme', ({ accent, theme, ink }) => {
    const colours = {
      ...variablesOf(themesCss, `[data-theme="${theme}"]`),
      ...variablesOf(accentsCss, `[data-accent="${accent}"]`),
    };
    for (const surface of ['page', 'surface', 'hover']) {
      expect(contrast(colours, ink, surface)).toBeGreaterThanOrEqual(READABLE);
    }
  });

  it.each(['light', 'dark', 'amber'])('keep text readable in the %s theme', (theme) => {
    const colours = variablesOf(themesCss, `[data-theme="${theme}"]`);
    for (const surface of ['page', 'surface', 'raised', 'sunken', 'hover']) {
      for (const ink of ['text', 'muted', 'faint']) {
        expect(contrast(colours, ink, surface), `${ink} on ${surface}`).toBeGreaterThanOrEqual(
          READABLE,
        );
      }
    }
    for (const tone of ['ok', 'busy', 'bad', 'idle']) {
      expect(contrast(colours, tone, `${tone}-wash`), tone).toBeGreaterThanOrEqual(READABLE);
    }
    expect(contrast(colours, 'surface', 'bad'), 'destructive button').toBeGreaterThanOrEqual(
      READABLE,
    );
  });
});

function variablesOf(css: string, selector: string): Record<string, string> {
  const start = css.indexOf(selector);
  const block = css.slice(start, css.indexOf('}', start));
  return Object.fromEntries(
    [...block.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]),
  );
}

function contrast(colours: Record<string, string>, one: string, other: string): number {
  const [darker = 0, lighter = 0] = [colours[one], colours[other]]
    .map(luminance)
    .toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Relative luminance of WCAG 2. */
function luminance(colour = ''): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(colour.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
