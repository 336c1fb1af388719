import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readGuide } from './read-guide.ts';

const ROOT = join(import.meta.dirname, '../../..');

it('includes the variables of the README in the operating page', async () => {
  const { pages } = await readGuide(join(ROOT, 'docs/guide'), join(ROOT, 'README.md'));
  const { markdown = '' } = pages.find(({ slug }) => slug === 'operating') ?? {};
  const variables = [...markdown.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name]) => name);
  expect(variables).toContain('DATABASE_URL');
  expect(variables).toContain('LONGSHORE_LOG_LEVEL');
  expect(markdown).not.toContain('<!--');
});
