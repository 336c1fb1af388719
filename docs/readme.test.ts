import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');

it('the README lists exactly the variables the server reads, in the order of --help', () => {
  const config = readFileSync(resolve(ROOT, 'apps/server/src/config-variables.ts'), 'utf8');
  const readme = readFileSync(resolve(ROOT, 'README.md'), 'utf8');
  const variables = captures(config, /\bname: '([A-Z_]+)'/g);
  const rows = captures(readme, /^\| *`([A-Z_]+)` *\|/gm);
  expect(rows).toEqual(variables);
});

function captures(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, word = '']) => word);
}
