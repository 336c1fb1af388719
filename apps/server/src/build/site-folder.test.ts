import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findSiteFolder, missingSite } from './site-folder.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'longshore-output-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(...paths: string[]): Promise<void> {
  for (const path of paths) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), '');
  }
}

it('finds the first of the folders with an index page', async () => {
  await write('out/index.html', 'public/index.html', 'dist/app.js');
  expect(await findSiteFolder(root, ['dist', 'out', 'public'])).toBe('out');
});

it('finds the only output of a package of the repository', async () => {
  await write('apps/web/dist/index.html', 'apps/web/src/build/index.html', 'lib/dist/index.js');
  expect(await findSiteFolder(root, ['dist'])).toBe('apps/web/dist');
});

it('finds nothing where several packages have an output', async () => {
  await write('a/dist/index.html', 'b/dist/index.html');
  expect(await findSiteFolder(root, ['dist'])).toBeUndefined();
});

it('follows links inside the release only', async () => {
  await write('.output/public/index.html');
  await symlink('.output/public', join(root, 'dist'));
  await symlink('/etc', join(root, 'build'));
  await writeFile(join(root, 'secret'), '');
  await mkdir(join(root, 'out'));
  await symlink('/etc/passwd', join(root, 'out/index.html'));
  expect(await findSiteFolder(root, ['build', 'out'])).toBeUndefined();
  expect(await findSiteFolder(root, ['dist'])).toBe('dist');
});

it.each<[what: string, written: string[], named: string]>([
  ['no pages', ['dist/app.js'], 'another folder, enter the output directory; '],
  ['pages elsewhere', ['public_html/index.html'], 'enter the output directory public_html; '],
  [
    'pages in several folders',
    ['b/dist/index.html', 'a/dist/index.html', 'a/dist/en/index.html', 'src/index.html'],
    'enter the output directory a/dist or b/dist; ',
  ],
])('says what to enter for %s', async (_, written, named) => {
  await write(...written);
  const [sentence, advice] = await missingSite(root, ['dist', 'out']);
  expect(sentence).toBe('The build wrote no index.html to dist, out');
  expect(advice).toContain(named);
});
