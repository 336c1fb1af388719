import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');

describe('the readme', () => {
  it('lists exactly the variables the server reads, in the order of --help', () => {
    const config = readFileSync(resolve(ROOT, 'apps/server/src/config-variables.ts'), 'utf8');
    const readme = readFileSync(resolve(ROOT, 'README.md'), 'utf8');
    const read = captures(config, /\bname: '([A-Z_]+)'/g);
    const listed = captures(readme, /^\| *`([A-Z_]+)` *\|/gm);
    expect(listed).toEqual(read);
  });
});

function captures(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, word = '']) => word);
}
