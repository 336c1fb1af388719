import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { npmArgv } from './programs.mjs';
import { ROOT } from './root.mjs';
import { runCommand } from './run-command.mjs';
import { openStep, StepFailed } from './run-script.mjs';

const FOLDER = join(ROOT, 'apps', 'server', 'kubernetes-client');
const NAME = join('node_modules', '@kubernetes', 'client-node');
const ARGS = ['ci', '--workspaces=false', '--ignore-scripts', '--no-audit', '--no-fund'];

/**
 * Installs what only the Kubernetes engine needs, unless it is there: it is as large as a fifth of everything else, so
 * the other engines do without it.
 */
export async function installKubernetesClient({
  environment = process.env,
  folder = FOLDER,
  step = openStep,
  run = runCommand,
} = {}) {
  if (environment.LONGSHORE_ENGINE?.trim() !== 'kubernetes') return;
  const wanted = await readJson(join(folder, 'package-lock.json'));
  const found = await readJson(join(folder, NAME, 'package.json')).catch(() => undefined);
  if (found?.version === wanted.packages[NAME.replaceAll('\\', '/')].version) return;
  await step('Install the client for Kubernetes', async (options) => {
    const argv = [...npmArgv(), ...ARGS, '--loglevel=error'];
    if ((await run(argv, { cwd: folder, ...options })) !== 0)
      throw new StepFailed('Installing the client for Kubernetes failed. See the output above.');
  });
}

async function readJson(path) {
  return JSON.parse(await readFile(path, 'utf8'));
}
