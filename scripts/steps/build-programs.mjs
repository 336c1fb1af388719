import { access, constants, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fingerprint } from './fingerprint.mjs';
import { NODE } from './programs.mjs';
import { ROOT } from './root.mjs';
import { runCommand } from './run-command.mjs';
import { openStep, StepFailed } from './run-script.mjs';

const BUNDLE = join('scripts', 'bundle.mjs');
const EDGE_INPUTS = [
  join('apps', 'edge', 'src'),
  join('packages', 'edge-contract', 'src'),
  BUNDLE,
  join('scripts', 'steps', 'external-packages.mjs'),
  join('scripts', 'steps', 'import-meta.mjs'),
  'package-lock.json',
];
const SERVER_INPUTS = [
  join('apps', 'server', 'src'),
  join('packages', 'contract', 'src'),
  ...EDGE_INPUTS,
];
const defaultBundle = ({ workspace, build }, options) =>
  runCommand([NODE, join(ROOT, BUNDLE), workspace, build], { cwd: ROOT, ...options });

/**
 * Bundles the programs of the edge when their sources have changed. Its own user runs them, who has no access to this
 * folder: the server copies them.
 */
export function buildEdge(options) {
  return buildPrograms('edge', EDGE_INPUTS, options);
}

/**
 * Bundles the server when its sources or packages have changed. One file takes far less memory than 1,200 modules, and starts
 * faster (decision 80).
 */
export function buildServer(options) {
  return buildPrograms('server', SERVER_INPUTS, options);
}

/** The file `build` has the hash that names this version. */
async function buildPrograms(
  workspace,
  inputs,
  { root = ROOT, bundle = defaultBundle, step = openStep } = {},
) {
  const folder = join(root, 'apps', workspace, 'dist');
  const build = fingerprint(root, inputs).slice(0, 16);
  if ((await readFile(join(folder, 'build'), 'utf8').catch(() => '')) === build) return;
  await access(dirname(folder), constants.W_OK).catch(() => {
    throw new StepFailed(
      `The ${workspace} is out of date, and you cannot write to ${dirname(folder)}. Run "npm run build" there as its owner.`,
    );
  });
  await step(`Build ${workspace}`, async (options) => {
    if ((await bundle({ workspace, build }, options)) !== 0)
      throw new StepFailed(`Building the ${workspace} failed. See the output above.`);
  });
}
