import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('has migrations numbered from 1 without gaps or duplicates', async () => {
  const names = (await readdir(join(import.meta.dirname, 'migrations'))).sort();
  expect(names.map((name) => Number(name.split('-', 1)))).toEqual(names.map((_, at) => at + 1));
});
