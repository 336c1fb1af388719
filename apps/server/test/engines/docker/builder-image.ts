import { execFile } from 'node:child_process';
import {
  appendFile,
  chmod,
  chown,
  cp,
  mkdir,
  readFile,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { copyProgram, copySystemFile } from './base-image.ts';
import { BUILDKIT_PROGRAMS } from './buildkit-programs.ts';
import type { ImageSettings } from './registry-storage.ts';

const USER_ID = 1000;
const HOME = '/home/user';
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
const RUNTIME = `/run/user/${USER_ID}`;

/** As in the public image `moby/buildkit:rootless`. */
export const BUILDER_SETTINGS: ImageSettings = {
  User: `${USER_ID}:${USER_ID}`,
  Env: [
    'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    `HOME=${HOME}`,
    'USER=user',
    `XDG_RUNTIME_DIR=${RUNTIME}`,
    `TMPDIR=${HOME}/.local/tmp`,
    `BUILDKIT_HOST=unix://${RUNTIME}/buildkit/buildkitd.sock`,
  ],
  Entrypoint: ['rootlesskit', 'buildkitd'],
  WorkingDir: '/',
  Volumes: { [`${HOME}/.local/share/buildkit`]: {} },
};

const FILES = {
  'etc/passwd': `root:x:0:0:root:/root:/bin/sh\nuser:x:${USER_ID}:${USER_ID}::${HOME}:/bin/sh\n`,
  'etc/group': `root:x:0:\nuser:x:${USER_ID}:\n`,
  'etc/subuid': 'user:100000:65536\n',
  'etc/subgid': 'user:100000:65536\n',
};

/** BuildKit as its public rootless image contains it, with runc and the user programs of this machine, and a trusted certificate. */
export async function fillBuilderImage(
  root: string,
  programs: string,
  certificate: string,
): Promise<void> {
  for (const folder of ['bin', 'etc', 'usr/bin', 'root', 'proc', 'sys', 'dev', 'var/lib', 'tmp']) {
    await mkdir(join(root, folder), { recursive: true });
  }
  await chmod(join(root, 'tmp'), 0o1777);
  for (const [path, text] of Object.entries(FILES)) await writeFile(join(root, path), text);
  await copySystemFile(root, CERTIFICATES);
  await appendFile(join(root, CERTIFICATES), await readFile(certificate));
  await addApplets(root);
  for (const program of BUILDKIT_PROGRAMS) {
    await cp(join(programs, program), join(root, 'usr/bin', program));
  }
  await copyProgram(root, '/usr/sbin/runc', '/usr/bin/buildkit-runc');
  for (const kind of ['uid', 'gid']) {
    const path = `/usr/bin/new${kind}map`;
    await copyProgram(root, path);
    // Not the setuid bit: without CAP_SYS_ADMIN, only the creator of a user namespace may write its maps.
    await chmod(join(root, path), 0o755);
    await promisify(execFile)('setcap', [`cap_set${kind}=ep`, join(root, path)]);
  }
  await addOwnFolders(root);
}

/** Every applet of busybox, as in Alpine. */
async function addApplets(root: string): Promise<void> {
  await copySystemFile(root, '/bin/busybox');
  const { stdout } = await promisify(execFile)('/bin/busybox', ['--list']);
  for (const applet of stdout
    .trim()
    .split('\n')
    .filter((name) => name !== 'busybox')) {
    await symlink('busybox', join(root, 'bin', applet));
  }
}

async function addOwnFolders(root: string): Promise<void> {
  const inHome = ['', '/.local', '/.local/tmp', '/.local/share', '/.local/share/buildkit'];
  for (const folder of [RUNTIME, ...inHome.map((name) => `${HOME}${name}`)]) {
    await mkdir(join(root, folder), { recursive: true });
    await chown(join(root, folder), USER_ID, USER_ID);
  }
}
