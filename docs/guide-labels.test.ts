import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const CONSOLE_SOURCES = ['apps/console/src', 'packages/contract/src'];
/** Bold for emphasis, not labels of the console. */
const EMPHASIS =
  /\.$|^Leave |^Run with |^Set up mail$|^Longer passwords$|^With a (?:button|token)$/;

const sources = CONSOLE_SOURCES.flatMap((folder) =>
  readTexts(join(ROOT, folder), /(?<!\.test)\.tsx?$/),
);
const pages = readTexts(join(ROOT, 'docs/guide'), /\.md$/);
const boldTexts = pages.flatMap((page) =>
  [...withoutCode(page).matchAll(/\*\*([^*]+)\*\*/g)].map(([, text = '']) =>
    text.replace(/\s+/g, ' '),
  ),
);

it.each([...new Set(boldTexts)].filter((text) => !EMPHASIS.test(text)))(
  'the label "%s" in the guide exists in the console',
  (text) => {
    // The console inserts the provider's name.
    const label = text.replace(/ Git(?:Lab|Hub)$/, '');
    expect(sources.some((source) => source.includes(label))).toBe(true);
  },
);

function readTexts(folder: string, pattern: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}

/** Patterns of files contain asterisks too. */
function withoutCode(page: string): string {
  return page.replace(/```.*?```|`[^`]*`/gs, '');
}
