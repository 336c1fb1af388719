import { chmod, cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readOutput } from '../../../processes/read-output.ts';
import type { DockerApi } from '../docker-api.ts';
import { jsonLines } from '../json-lines.ts';

const ENV = { PATH: '/usr/local/bin:/usr/bin:/bin' };
const APPLETS = [
  'sh',
  'cat',
  'chown',
  'echo',
  'head',
  'httpd',
  'id',
  'mkdir',
  'nc',
  'printf',
  'sleep',
  'wget',
];
const { signal } = new AbortController();

export const SHELL_IMAGE = 'longshore-test-shell:1';
export const NODE_IMAGE = 'longshore-test-node:24';

/** For tests without a registry: a shell and a few programs, of this machine's busybox. */
export async function importShellImage(docker: DockerApi, name = SHELL_IMAGE): Promise<void> {
  await importImage(docker, name, addShell);
}

/** The same with this very Node. */
export async function importNodeImage(docker: DockerApi): Promise<void> {
  await importImage(docker, NODE_IMAGE, async (root) => {
    await addShell(root);
    for (const file of [process.execPath, ...(await librariesOf(process.execPath))]) {
      const place = join(root, file === process.execPath ? '/usr/local/bin/node' : file);
      await mkdir(dirname(place), { recursive: true });
      await cp(file, place, { dereference: true });
    }
  });
}

async function addShell(root: string): Promise<void> {
  await mkdir(join(root, 'bin'));
  await cp('/bin/busybox', join(root, 'bin/busybox'), { dereference: true });
  for (const applet of APPLETS) await symlink('busybox', join(root, 'bin', applet));
  await mkdir(join(root, 'tmp'));
  await chmod(join(root, 'tmp'), 0o1777);
}

async function importImage(
  docker: DockerApi,
  name: string,
  fill: (root: string) => Promise<void>,
): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'longshore-image-'));
  try {
    await chmod(root, 0o755);
    await fill(root);
    const argv = ['tar', '--create', '-C', root, '.'] as const;
    const colon = name.lastIndexOf(':');
    const progress = await docker.follow('POST', '/images/create', {
      query: {
        fromSrc: '-',
        repo: name.slice(0, colon),
        tag: name.slice(colon + 1),
        changes: 'ENV PATH=/usr/local/bin:/bin',
      },
      headers: { 'content-type': 'application/x-tar' },
      stream: readOutput({ argv, cwd: '/', env: ENV }, signal),
      signal,
    });
    for await (const { error } of jsonLines<{ error?: string }>(progress)) {
      if (error !== undefined) throw new Error(error);
    }
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** The paths among what `ldd` prints. */
async function librariesOf(program: string): Promise<string[]> {
  let text = '';
  const command = { argv: ['ldd', program] as const, cwd: '/', env: ENV };
  for await (const chunk of readOutput(command, signal)) text += chunk.toString('utf8');
  return [...text.matchAll(/(\/\S+) \(0x/g)].map(([, path]) => path ?? '');
}
