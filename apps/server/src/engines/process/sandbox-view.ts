import { dirname } from 'node:path';
import type { Mount } from '../../sandbox/sandbox.ts';
import type { EngineDeps } from './deps.ts';

/** Where an app finds its files and the programs of Longshore in its sandbox. */
export const SANDBOX = {
  release: '/app',
  home: '/home/app',
  temporary: '/tmp',
  /** Only builds see it. */
  cache: '/opt/longshore/cache',
  binDir: '/opt/longshore/bin',
  nodePath: '/opt/longshore/node',
  staticServer: '/opt/longshore/static-server.ts',
} as const;

const NPM = '/opt/longshore/npm';

/** The programs of Longshore that an app finds in its PATH. */
export const APP_LINKS = [
  { path: `${SANDBOX.binDir}/node`, target: SANDBOX.nodePath },
  { path: `${SANDBOX.binDir}/npm`, target: `${NPM}/bin/npm-cli.js` },
  { path: `${SANDBOX.binDir}/npx`, target: `${NPM}/bin/npx-cli.js` },
];

/** The files of one release, as the server finds them. */
export type ReleaseFiles = { release: string; home: string; temporary: string };

/**
 * What a program of an app sees besides the system. `root`: where it finds its release; build output may contain this path.
 */
export function appMounts(
  files: ReleaseFiles,
  root: string,
  { toolchain, staticServer }: Pick<EngineDeps, 'toolchain' | 'staticServer'>,
): Mount[] {
  const readOnly = (source: string, target: string) => ({ source, target, isWritable: false });
  const writable = (source: string, target: string) => ({ source, target, isWritable: true });
  return [
    readOnly(toolchain.nodePath, SANDBOX.nodePath),
    readOnly(dirname(dirname(toolchain.npmCliPath)), NPM),
    readOnly(staticServer, SANDBOX.staticServer),
    // First of its own folders: the root of a release from before there were sandboxes may be below it.
    writable(files.temporary, SANDBOX.temporary),
    writable(files.home, SANDBOX.home),
    writable(files.release, root),
  ];
}
