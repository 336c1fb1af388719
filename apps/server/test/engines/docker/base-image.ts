import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { GO_IMAGE, PLAIN_IMAGE, PYTHON_IMAGE } from '../../../src/build/dockerfile.ts';
import type { DockerApi } from '../../../src/engines/docker/docker-api.ts';
import { jsonLines } from '../../../src/engines/docker/json-lines.ts';
import { streamOutput } from '../../../src/processes/stream-output.ts';

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

/** A base image without a registry: a shell and a few programs of this machine's busybox. */
export async function importShellImage(docker: DockerApi, name = SHELL_IMAGE): Promise<void> {
  await importImage(docker, name, addShell);
}

/** The shell image with the Node of this process. */
export async function importNodeImage(docker: DockerApi): Promise<void> {
  await importImage(docker, NODE_IMAGE, async (root) => {
    await addShell(root);
    for (const file of [process.execPath, ...(await librariesOf(process.execPath))]) {
      const target = join(root, file === process.execPath ? '/usr/local/bin/node' : file);
      await mkdir(dirname(target), { recursive: true });
      await cp(file, target, { dereference: true });
    }
  });
}

/** Replacements for the base images of generated Dockerfiles, without a registry. */
export async function importBaseImages(docker: DockerApi): Promise<void> {
  await importShellImage(docker, PLAIN_IMAGE);
  await importImage(docker, PYTHON_IMAGE, async (root) => {
    await addShell(root);
    await addPython(root);
  });
  await importImage(docker, GO_IMAGE, async (root) => {
    await addShell(root);
    await addCompiler(root);
  });
}

/** The Python of this machine, without its tests. */
async function addPython(root: string): Promise<void> {
  const python = await realpath('/usr/bin/python3');
  const library = join('/usr/lib', basename(python));
  const modules = await readdir(join(library, 'lib-dynload'));
  const binaries = modules.map((name) => join(library, 'lib-dynload', name));
  for (const file of [python, ...(await librariesOf(python, ...binaries))]) await add(root, file);
  await symlink(basename(python), join(root, '/usr/bin/python3'));
  for (const folder of [library, '/usr/share/python-wheels']) {
    const filter = (path: string) => !/\/(?:__pycache__|test|EXTERNALLY-MANAGED)$/.test(path);
    await cp(folder, join(root, folder), { recursive: true, dereference: true, filter });
  }
}

/** A fake `go`, because Go is too large: it "compiles" every program to the same web page. */
async function addCompiler(root: string): Promise<void> {
  await add(root, '/etc/ssl/certs/ca-certificates.crt');
  await mkdir(join(root, 'usr/local/bin'), { recursive: true });
  await writeFile(join(root, 'usr/local/bin/go'), COMPILER);
  await chmod(join(root, 'usr/local/bin/go'), 0o755);
}

const COMPILER = `#!/bin/sh
[ "$1" = build ] || exit 0
while [ "$1" != -o ]; do shift; done
mkdir -p bin
cat > "$2" <<'PROGRAM'
#!/bin/sh
mkdir -p /tmp/site
id -u > /tmp/site/index.html
exec httpd -f -p "$PORT" -h /tmp/site
PROGRAM
busybox chmod 755 "$2"
`;

async function add(root: string, file: string): Promise<void> {
  await mkdir(dirname(join(root, file)), { recursive: true });
  await cp(file, join(root, file), { dereference: true });
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
        changes: 'ENV PATH=/usr/local/bin:/usr/bin:/bin',
      },
      headers: { 'content-type': 'application/x-tar' },
      stream: streamOutput({ argv, cwd: '/', env: ENV }, signal),
      signal,
    });
    for await (const { error } of jsonLines<{ error?: string }>(progress)) {
      if (error !== undefined) throw new Error(error);
    }
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** The library paths in the output of `ldd`. */
async function librariesOf(...programs: string[]): Promise<string[]> {
  let text = '';
  const command = { argv: ['ldd', ...programs] as const, cwd: '/', env: ENV };
  for await (const chunk of streamOutput(command, signal)) text += chunk.toString('utf8');
  return [...new Set([...text.matchAll(/(\/\S+) \(0x/g)].map(([, path]) => path ?? ''))];
}
