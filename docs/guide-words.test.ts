import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const CONSOLE = ['apps/console/src', 'packages/contract/src'];
/** Bold for a reader who skims, not for what is on the screen. */
const SKIMMED = /\.$|^Leave |^Run with |^Set up mail$|^Longer passwords$|^With a (?:button|token)$/;

const sources = CONSOLE.flatMap((folder) => textsBelow(join(ROOT, folder), /(?<!\.test)\.tsx?$/));
const pages = textsBelow(join(ROOT, 'docs/guide'), /\.md$/);
const words = pages.flatMap((page) =>
  [...page.matchAll(/\*\*([^*]+)\*\*/g)].map((it) => it[1] ?? ''),
);

it.each([...new Set(words)].filter((it) => !SKIMMED.test(it)))(
  'the console says %s, as the guide does',
  (word) => {
    // The name of a provider is put in.
    const written = word.replace(/ Git(?:Lab|Hub)$/, '');
    expect(sources.some((source) => source.includes(written))).toBe(true);
  },
);

function textsBelow(folder: string, pattern: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}
