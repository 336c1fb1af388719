import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';

const PROGRAM = fileURLToPath(import.meta.resolve('./link-site-folder.ts'));

it('links the folder that a build has written its pages to', async () => {
  const { root, run } = await builtSite('dist/pages/browser');
  await run('dist,build');
  expect(await readlink(join(root, 'link'))).toBe(join(root, 'dist/pages/browser'));
});

it('fails without pages, and says where it looked and what to enter', async () => {
  const { run } = await builtSite('src');
  await expect(run('dist,build')).rejects.toMatchObject({
    code: 66,
    stderr: expect.stringMatching(
      /^The build wrote no index\.html to dist, build\n.*enter the output directory/m,
    ),
  });
});

async function builtSite(folder: string) {
  const root = await mkdtemp(join(tmpdir(), 'longshore-site-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await mkdir(join(root, folder), { recursive: true });
  await writeFile(join(root, folder, 'index.html'), '');
  const run = (folders: string) =>
    promisify(execFile)(process.execPath, [PROGRAM, folders, 'link'], { cwd: root });
  return { root, run };
}
