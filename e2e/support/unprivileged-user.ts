import { execFile } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './longshore.ts';

const runFile = promisify(execFile);
const NOBODY = { uid: 65_534, gid: 65_534 };
const NOT_COPIED = new Set(['.git', '.longshore']);

export const isRoot = process.getuid?.() === 0;

/** An unprivileged user: `nobody`, or undefined if the tests already run unprivileged. */
export const unprivilegedUser = isRoot ? NOBODY : undefined;

/** This checkout, or a copy in the given folder if an unprivileged user cannot read it. */
export async function checkoutForUnprivilegedUser(folder: string): Promise<string> {
  const node = join(ROOT, 'node_modules/.bin/node');
  const main = join(ROOT, 'apps/server/src/main.ts');
  const canRead = await runFile(node, ['--check', main], { ...unprivilegedUser, cwd: '/' }).then(
    () => true,
    () => false,
  );
  if (canRead) return ROOT;
  const names = (await readdir(ROOT)).filter((name) => !NOT_COPIED.has(name));
  await mkdir(folder);
  await runFile('cp', ['-a', ...names.map((name) => join(ROOT, name)), folder]);
  await runFile('chmod', ['-R', 'a+rX', folder]);
  return folder;
}
