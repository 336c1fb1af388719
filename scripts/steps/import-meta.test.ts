import { expect, it } from 'vitest';
import { rewriteImportMeta } from './import-meta.mjs';

const programs = { 'main.mjs': 'main.ts', 'thread.mjs': 'functions/thread.ts' };

it.each([
  [
    'finds a thread beside the bundle',
    `new URL('./thread.ts', import.meta.url)`,
    `new URL('./thread.mjs', import.meta.url)`,
  ],
  [
    'finds a program beside the bundle',
    `import.meta.resolve('../main.ts')`,
    `import.meta.resolve('./main.mjs')`,
  ],
  [
    'finds another file among the sources',
    `import.meta.resolve('../build/static.ts')`,
    `import.meta.resolve('../src/build/static.ts')`,
  ],
  [
    'finds a folder among the sources',
    `join(import.meta.dirname, 'sql')`,
    `join((import.meta.dirname + '/../src/functions'), 'sql')`,
  ],
  [
    'finds packages from the bundle',
    'createRequire(import.meta.url)',
    'createRequire(import.meta.url)',
  ],
  ['is not the main module', 'if (import.meta.main) serve();', 'if (false) serve();'],
])('a bundled source %s', (_, code, expected) => {
  expect(rewriteImportMeta(code, { source: 'functions/call.ts', programs })).toBe(expected);
});

it('the entry of a program can be the main module', () => {
  const code = 'if (import.meta.main) await main();';
  expect(rewriteImportMeta(code, { source: 'main.ts', programs })).toBe(code);
});
