import { accessSync, constants } from 'node:fs';

/**
 * @typedef {object} Tool
 * @property {string} program
 * @property {string} package Its package on Debian and Ubuntu.
 */

/**
 * Programs that isolate apps, builds and git. Not TypeScript: the start script installs them, on any version of Node.
 * @type {readonly Tool[]}
 */
export const SANDBOX_TOOLS = [
  { program: 'bwrap', package: 'bubblewrap' },
  { program: 'nft', package: 'nftables' },
  { program: 'ip', package: 'iproute2' },
  { program: 'setpriv', package: 'util-linux' },
  { program: 'nsenter', package: 'util-linux' },
  { program: 'unshare', package: 'util-linux' },
  { program: 'prlimit', package: 'util-linux' },
  { program: 'mount', package: 'mount' },
  { program: 'losetup', package: 'mount' },
  { program: 'mkfs.ext4', package: 'e2fsprogs' },
];

/** Not the PATH: what runs as root comes from the system, and the PATH of a service often has no sbin. */
const FOLDERS = ['/usr/bin', '/usr/sbin', '/bin', '/sbin'];

/**
 * The path of a program of the system.
 * @param {string} program
 * @returns {string | undefined}
 */
export function findTool(program) {
  return FOLDERS.map((folder) => `${folder}/${program}`).find(isExecutable);
}

/** @returns {Tool[]} */
export function missingTools() {
  return SANDBOX_TOOLS.filter(({ program }) => findTool(program) === undefined);
}

/**
 * @param {readonly Tool[]} tools
 * @returns {string[]} The packages to install for them, each once.
 */
export function packagesOf(tools) {
  return [...new Set(tools.map((tool) => tool.package))];
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
