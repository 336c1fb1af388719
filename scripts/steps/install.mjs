import { access, constants, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hasDevelopmentTools, missingPackages } from './missing-packages.mjs';
import { NODE, npmArgv } from './programs.mjs';
import { ROOT } from './root.mjs';
import { runCommand } from './run-command.mjs';
import { openStep, StepFailed } from './run-script.mjs';

/**
 * Not `npm ci`: it refuses a lock file that leaves out packages for other platforms. `--no-save` keeps the lock file as
 * it is. None of the packages needs an install script. Warnings about development tools that want a newer Node are
 * hidden, because those tools run on the Node from node_modules.
 */
const ARGS = [
  'install',
  '--no-save',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
];

/**
 * Installs the packages when some are missing or the lock file has changed. Development tools are installed only where
 * a command needs them, and kept once they are there.
 */
export async function install({ development = false, step = openStep } = {}) {
  const installed = await readJson(join('node_modules', '.package-lock.json')).catch(() => ({
    packages: {},
  }));
  if (await isComplete(installed, development)) return;
  await refuseReadOnly();
  const withTools = development || hasDevelopmentTools(installed);
  const argv = [...npmArgv(), ...ARGS, withTools ? '--include=dev' : '--omit=dev'];
  await step('Install packages', async (options) => {
    const code = await runCommand(argv, { cwd: ROOT, ...options });
    if (code !== 0) throw new StepFailed('Installing the packages failed. See the output above.');
  });
  await removeNodeHeaders();
}

/** C headers are a third of the Node package. node-gyp does not look for them there. */
async function removeNodeHeaders() {
  const platform = `node-${process.platform}-${process.arch}`;
  await rm(join(ROOT, 'node_modules', platform, 'include'), { recursive: true, force: true });
}

async function isComplete(installed, development) {
  try {
    await access(NODE);
    const lock = await readJson('package-lock.json');
    return missingPackages(lock, installed, { development }).length === 0;
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
        `Packages are missing or out of date, and you cannot write to ${path}. Run "npm install" there as its owner.`,
      );
    });
  }
}
