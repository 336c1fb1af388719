import { writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { exampleVariables } from './example-variables.ts';
import { readCheckout, readProject } from './read-checkout.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-checkout-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('lists plain files at the root and in site folders', async () => {
  await mkdir(join(folder, 'public'));
  await writeFile(join(folder, 'public/index.html'), '');
  await writeFile(join(folder, 'package.json'), '{}');
  expect(await readCheckout(folder)).toEqual({
    files: ['package.json', 'public/index.html'],
    texts: { 'package.json': '{}' },
  });
});

it('finds the variables in an example file, however its name is written', async () => {
  await writeFile(join(folder, '.env.EXAMPLE'), 'SECRET=x\n');
  const checkout = await readCheckout(folder);
  expect(exampleVariables(checkout)).toEqual([{ name: 'SECRET', file: '.env.EXAMPLE' }]);
});

it('reads the workspace above the root directory of an app', async () => {
  await mkdir(join(folder, 'apps/web'), { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"workspaces":["apps/*"]}');
  await writeFile(join(folder, 'apps/web/package.json'), '{}');
  await writeFile(join(folder, 'apps/notes.txt'), '');
  expect(await readProject(folder, 'apps/web')).toEqual({
    files: ['package.json'],
    texts: { 'package.json': '{}' },
    workspace: {
      path: '../..',
      files: ['package.json'],
      texts: { 'package.json': '{"workspaces":["apps/*"]}' },
    },
  });
  expect(await readProject(folder, 'apps')).toEqual({
    files: ['notes.txt', 'web/package.json'],
    texts: { 'web/package.json': '{}' },
  });
});

it('follows no link, because it could point to secrets of the server', async () => {
  await symlink('/etc/passwd', join(folder, 'package.json'));
  await symlink('/etc', join(folder, 'public'));
  expect(await readCheckout(folder)).toEqual({ files: [], texts: {} });
});

it('reads the beginning of long files, and the folders of Go commands', async () => {
  await mkdir(join(folder, 'cmd/web'), { recursive: true });
  await writeFile(join(folder, 'cmd/web/main.go'), 'package main');
  await writeFile(join(folder, 'yarn.lock'), `__metadata:\n${'x'.repeat(2_000_000)}`);
  const { files, texts } = await readCheckout(folder);
  expect(files).toEqual(['yarn.lock', 'cmd/web/main.go']);
  expect(texts['yarn.lock']).toMatch(/^__metadata:\nx+$/);
  expect(texts['yarn.lock']).toHaveLength(16_384);
});

it('reads the Python programs and settings that may decide', async () => {
  const read = ['.python-version', 'stocks.py', 'app/main.py', 'shop/settings/base.py'];
  for (const name of [...read, 'shop/models.py', 'node_modules/a/setup.py']) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), 'x');
  }
  expect(Object.keys((await readCheckout(folder)).texts).sort()).toEqual(read.sort());
});

it('does not read a huge package.json', async () => {
  await writeFile(join(folder, 'package.json'), ' '.repeat(2_000_000));
  expect(await readCheckout(folder)).toEqual({ files: ['package.json'], texts: {} });
});

it('lists a limited number of files, and always those that matter', async () => {
  const names = Array.from({ length: 21_000 }, (_, index) => `${index}.go`);
  await mkdir(join(folder, 'dist'));
  for (const name of names) writeFileSync(join(folder, 'dist', name), '');
  for (const name of names.slice(0, 1_000)) writeFileSync(join(folder, name), 'package main');
  await writeFile(join(folder, 'dist/index.html'), '');
  await writeFile(join(folder, 'go.mod'), 'module example.com/shop');
  const { files, texts } = await readCheckout(folder);
  expect(files.length).toBeLessThan(21_100);
  expect(files).toEqual(expect.arrayContaining(['dist/index.html', 'go.mod']));
  expect(Object.keys(texts).length).toBeLessThan(300);
  expect(texts['go.mod']).toContain('shop');
});
