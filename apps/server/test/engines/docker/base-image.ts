import { chmod, cp, mkdir, readdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { GO_IMAGE, PLAIN_IMAGE, PYTHON_IMAGE } from '../../../src/build/dockerfile.ts';
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
/** The same with the npm of this repository. */
export const NODE_AND_NPM_IMAGE = 'longshore-test-node-npm:24';
/** Its `npm` does nothing but a build. */
export const NPM_IMAGE = 'longshore-test-npm:1';

/** Creates the files of one layer. */
type AddFiles = (root: string) => Promise<void>;

/** What base images consist of: programs of this machine, instead of images from public registries. */
export const BASE_IMAGES: Record<string, AddFiles[]> = {
  [SHELL_IMAGE]: [addShell],
  [PLAIN_IMAGE]: [addShell],
  [NODE_IMAGE]: [addShell, addNode],
  [NODE_AND_NPM_IMAGE]: [addShell, addNode, addRealNpm],
  [NPM_IMAGE]: [addShell, addNode, addNpm],
  [PYTHON_IMAGE]: [addShell, addPython],
  [GO_IMAGE]: [addShell, addCompiler],
};

async function addShell(root: string): Promise<void> {
  await mkdir(join(root, 'bin'));
  await cp('/bin/busybox', join(root, 'bin/busybox'), { dereference: true });
  for (const applet of APPLETS) await symlink('busybox', join(root, 'bin', applet));
  await mkdir(join(root, 'tmp'));
  await chmod(join(root, 'tmp'), 0o1777);
}

async function addNode(root: string): Promise<void> {
  await copyProgram(root, process.execPath, '/usr/local/bin/node');
}

async function addNpm(root: string): Promise<void> {
  await addProgram(root, 'npm', '#!/bin/sh\nexec node build.js\n');
}

async function addRealNpm(root: string): Promise<void> {
  const npm = dirname(createRequire(import.meta.url).resolve('npm/package.json'));
  const target = '/usr/local/lib/node_modules/npm';
  await cp(npm, join(root, target), { recursive: true, dereference: true });
  await addProgram(root, 'npm', `#!/bin/sh\nexec node ${target}/bin/npm-cli.js "$@"\n`);
}

/** The Python of this machine, without its tests. */
async function addPython(root: string): Promise<void> {
  const python = await realpath('/usr/bin/python3');
  const library = join('/usr/lib', basename(python));
  const modules = await readdir(join(library, 'lib-dynload'));
  const binaries = modules.map((name) => join(library, 'lib-dynload', name));
  for (const file of [python, ...(await librariesOf(python, ...binaries))])
    await copySystemFile(root, file);
  await symlink(basename(python), join(root, '/usr/bin/python3'));
  for (const folder of [library, '/usr/share/python-wheels']) {
    const filter = (path: string) => !/\/(?:__pycache__|test|EXTERNALLY-MANAGED)$/.test(path);
    await cp(folder, join(root, folder), { recursive: true, dereference: true, filter });
  }
}

/** A fake `go`, because Go is too large: it "compiles" every program to the same web page. */
async function addCompiler(root: string): Promise<void> {
  await copySystemFile(root, '/etc/ssl/certs/ca-certificates.crt');
  await addProgram(root, 'go', COMPILER);
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

async function addProgram(root: string, name: string, script: string): Promise<void> {
  await mkdir(join(root, 'usr/local/bin'), { recursive: true });
  await writeFile(join(root, 'usr/local/bin', name), script, { mode: 0o755 });
}

/** Copies a file of this machine into the folder of an image. */
export async function copySystemFile(root: string, file: string, target = file): Promise<void> {
  await mkdir(dirname(join(root, target)), { recursive: true });
  await cp(file, join(root, target), { dereference: true });
}

/** Copies a program of this machine with its libraries. */
export async function copyProgram(root: string, program: string, target = program): Promise<void> {
  await copySystemFile(root, program, target);
  for (const library of await librariesOf(program)) await copySystemFile(root, library);
}

/** The library paths in the output of `ldd`. */
async function librariesOf(...programs: string[]): Promise<string[]> {
  let text = '';
  const command = { argv: ['ldd', ...programs] as const, cwd: '/', env: ENV };
  for await (const chunk of streamOutput(command, signal)) text += chunk.toString('utf8');
  return [...new Set([...text.matchAll(/(\/\S+) \(0x/g)].map(([, path]) => path ?? ''))];
}
