import { lstatSync, readlinkSync } from 'node:fs';

/** Files of the machine that every sandbox sees, read-only. */
export type SystemView = { folders: string[]; links: { path: string; target: string }[] };

/** Where programs and libraries are. On most systems the last ones are links into `/usr`. */
const PROGRAM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/**
 * Settings that programs need and that contain no secrets. The other files of `/etc` tell about the machine and its users, and
 * some have secrets that are readable by mistake.
 */
const SETTINGS = [
  'alternatives',
  'crypto-policies',
  'debian_version',
  'fonts',
  'gai.conf',
  'host.conf',
  'ld.so.cache',
  'localtime',
  'magic',
  'mime.types',
  'npmrc',
  'os-release',
  'pip.conf',
  'pki/tls',
  'pki/ca-trust',
  'protocols',
  'services',
  'ssl',
  'terminfo',
  'timezone',
].map((name) => `/etc/${name}`);

/** Language runtimes have their settings in `/etc/<name>` and `/etc/<name><version>`. */
const RUNTIME = /^(?:java|jvm|perl|php|python|ruby)[\w.-]*$/;

/** What exists on this machine. */
export function readSystemView(settingNames: string[]): SystemView {
  const runtimes = settingNames.filter((name) => RUNTIME.test(name)).map((name) => `/etc/${name}`);
  const view: SystemView = { folders: [], links: [] };
  for (const path of [...PROGRAM_FOLDERS, ...SETTINGS, ...runtimes]) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isSymbolicLink()) view.links.push({ path, target: readlinkSync(path) });
    else if (stats !== undefined) view.folders.push(path);
  }
  return view;
}
