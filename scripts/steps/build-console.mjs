import { access, constants, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fingerprint } from './fingerprint.mjs';
import { toolArgv } from './programs.mjs';
import { ROOT } from './root.mjs';
import { runCommand } from './run-command.mjs';
import { openStep, StepFailed } from './run-script.mjs';

const CONSOLE = join('apps', 'console');
const INPUTS = [
  CONSOLE,
  join('docs', 'guide'),
  'README.md',
  join('packages', 'contract', 'src'),
  join('packages', 'client', 'src'),
  'package-lock.json',
];
const defaultBuild = (options) =>
  runCommand(toolArgv('vite', 'build'), { cwd: join(ROOT, CONSOLE), ...options });

/** Builds the console when its sources have changed since the last successful build. */
export async function buildConsole({ root = ROOT, build = defaultBuild, step = openStep } = {}) {
  const stamp = join(root, CONSOLE, 'dist', '.fingerprint');
  const wanted = fingerprint(root, INPUTS);
  if ((await readFile(stamp, 'utf8').catch(() => '')) === wanted) return;
  await access(join(root, CONSOLE), constants.W_OK).catch(() => {
    throw new StepFailed(
      `The console is out of date, and you cannot write to ${join(root, CONSOLE)}. Run "npm run build" there as its owner.`,
    );
  });
  await step('Build console', async (options) => {
    if ((await build(options)) !== 0)
      throw new StepFailed('Building the console failed. See the output above.');
  });
  await writeFile(stamp, wanted);
}
