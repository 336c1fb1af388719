import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readCheckout } from './read-checkout.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-checkout-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('lists plain files at the root and where sites lie', async () => {
  await mkdir(join(folder, 'public'));
  await writeFile(join(folder, 'public/index.html'), '');
  await writeFile(join(folder, 'package.json'), '{}');
  expect(await readCheckout(folder)).toEqual({
    files: ['package.json', 'public/index.html'],
    packageJson: '{}',
  });
});

it('follows no link: it could lead to our own secrets', async () => {
  await symlink('/etc/passwd', join(folder, 'package.json'));
  await symlink('/etc', join(folder, 'public'));
  expect(await readCheckout(folder)).toEqual({ files: [], packageJson: undefined });
});
