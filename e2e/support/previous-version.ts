import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './longshore.ts';

const run = promisify(execFile);
/** The last commit of the version before this one, which has no builders, no edge, and variables as plain text. */
const PREVIOUS_COMMIT = 'f6571e9a87528b7d47e186795106f10a05c80746';
/** The files that the server of a version needs; npm also reads the package.json of every other workspace. */
const PATHS = [
  'package.json',
  'package-lock.json',
  '.npmrc',
  'packages',
  'apps/server',
  'apps/console/package.json',
  'e2e/package.json',
  'bench/package.json',
];
const INSTALL = [
  'install',
  '--no-save',
  '--ignore-scripts',
  '--omit=dev',
  '--workspace=@longshore/server',
  '--prefer-offline',
  '--loglevel=error',
];

/** Checks out the server of the previous version with its own packages, and returns the command that starts it. */
export async function previousVersion(
  folder: string,
): Promise<{ argv: [string, ...string[]]; cwd: string }> {
  await mkdir(folder);
  const archive = join(folder, 'version.tar');
  await run('git', ['-C', ROOT, 'archive', '--output', archive, PREVIOUS_COMMIT, '--', ...PATHS]);
  await run('tar', ['-x', '-f', archive, '-C', folder]);
  await run('npm', INSTALL, { cwd: folder });
  return { argv: [process.execPath, join(folder, 'apps/server/src/main.ts')], cwd: folder };
}

/** False in a clone without history or a downloaded archive. */
export async function hasPreviousVersion(): Promise<boolean> {
  return await run('git', ['-C', ROOT, 'cat-file', '-e', PREVIOUS_COMMIT]).then(
    () => true,
    () => false,
  );
}
