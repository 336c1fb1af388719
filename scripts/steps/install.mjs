import { access, constants, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { missingPackages } from './missing-packages.mjs';
import { NODE, npmArgv } from './programs.mjs';
import { ROOT } from './root.mjs';
import { runCommand } from './run-command.mjs';
import { StepFailed } from './step-failed.mjs';

const SIGN_OF_LIFE_MS = 10_000;
/**
 * Not `npm ci`: it refuses a lock file that leaves out packages for other machines. Nothing is saved, so the lock file
 * stays as it is. None of our packages needs an install script, and warnings about tools that want a newer Node do not
 * concern us.
 */
const ARGS = [
  'install',
  '--no-save',
  '--ignore-scripts',
  '--include=dev',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
];

/** Installs the packages when there are none or the lock file has changed. */
export async function install() {
  if (await isInstalled()) return;
  await refuseReadOnly();
  console.log('Installing packages (once, about a minute)');
  const startedAt = Date.now();
  const timer = setInterval(() => {
    console.log(`  still installing, ${Math.round((Date.now() - startedAt) / 1000)} s`);
  }, SIGN_OF_LIFE_MS);
  const code = await runCommand([...npmArgv(), ...ARGS], { cwd: ROOT }).finally(() =>
    clearInterval(timer),
  );
  if (code !== 0) throw new StepFailed('The packages could not be installed: see above.');
}

async function isInstalled() {
  try {
    await access(NODE);
    const lock = await readJson('package-lock.json');
    const installed = await readJson(join('node_modules', '.package-lock.json'));
    return missingPackages(lock, installed).length === 0;
  } catch {
    return false;
  }
}

async function readJson(path) {
  return JSON.parse(await readFile(join(ROOT, path), 'utf8'));
}

async function refuseReadOnly() {
  for (const path of [ROOT, join(ROOT, 'node_modules')]) {
    await access(path, constants.W_OK).catch((error) => {
      if (error.code === 'ENOENT') return;
      throw new StepFailed(
        `The packages are missing or out of date, and ${path} is not yours to change: run "npm install" there as its owner.`,
      );
    });
  }
}
