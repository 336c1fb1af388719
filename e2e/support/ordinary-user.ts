import { execFile } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './longshore.ts';

const runFile = promisify(execFile);
const NOBODY = { uid: 65_534, gid: 65_534 };
const NOT_COPIED = new Set(['.git', '.longshore']);

export const isRoot = process.getuid?.() === 0;

/** Somebody who may not change this machine: nobody's account, or our own when that is an ordinary one. */
export const ordinaryUser = isRoot ? NOBODY : undefined;

/** This checkout, or a copy in the given folder when an ordinary user cannot read it where it is. */
export async function checkoutForOrdinaryUser(folder: string): Promise<string> {
  const node = join(ROOT, 'node_modules/.bin/node');
  const main = join(ROOT, 'apps/server/src/main.ts');
  const canRead = await runFile(node, ['--check', main], { ...ordinaryUser, cwd: '/' }).then(
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
