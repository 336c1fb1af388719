import { join } from 'node:path';
import { ROOT } from './root.mjs';

/** The Node from node_modules. */
export const NODE = join(ROOT, 'node_modules', '.bin', 'node');

/** Whether this Node runs TypeScript without a build. */
export function isNodeNewEnough(version = process.versions.node) {
  return Number.parseInt(version, 10) >= 24;
}

/** The npm that runs this script, or the one on the PATH. */
export function npmArgv(environment = process.env) {
  const cli = environment.npm_execpath;
  return cli?.endsWith('.js') ? [process.execPath, cli] : ['npm'];
}

/** The command for a tool from node_modules, run with the Node from node_modules. */
export function toolArgv(name, ...args) {
  return [NODE, join(ROOT, 'node_modules', '.bin', name), ...args];
}
