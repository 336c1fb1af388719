import { join } from 'node:path';
import { ROOT } from './root.mjs';

/** The Node that Longshore brings along. */
export const NODE = join(ROOT, 'node_modules', '.bin', 'node');

/** The Node that Longshore's TypeScript runs on as it is. */
export function isNodeNewEnough(version = process.versions.node) {
  return Number.parseInt(version, 10) >= 24;
}

/** npm as it was called, or the one on the path. */
export function npmArgv(environment = process.env) {
  const cli = environment.npm_execpath;
  return cli?.endsWith('.js') ? [process.execPath, cli] : ['npm'];
}

/** A tool of node_modules, run on our Node whatever else the machine has. */
export function toolArgv(name, ...args) {
  return [NODE, join(ROOT, 'node_modules', '.bin', name), ...args];
}
