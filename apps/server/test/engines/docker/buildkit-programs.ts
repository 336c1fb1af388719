import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type CachedFolder, cachedFolderPath, openCachedFolder } from '../../cached-folder.ts';

const BUILDKIT = 'v0.32.2';
const ROOTLESSKIT = 'v2.3.6';
const MODULE = 'github.com/moby/buildkit';
const PROGRESS_MS = 30_000;
// biome-ignore lint/style/noProcessEnv: Go and its proxy are set up by the machine.
const ENV = process.env;
const PATH = `${ENV.PATH}:/usr/local/go/bin`;

export const BUILDKIT_PROGRAMS = ['buildkitd', 'buildctl', 'rootlesskit'];

const PROGRAMS: CachedFolder = {
  name: 'buildkit',
  key: `${BUILDKIT}-rootlesskit-${ROOTLESSKIT}-${process.arch}`,
  fill: compile,
};

/** Whether BuildKit is compiled, or can be. */
export const hasBuildKit =
  existsSync(cachedFolderPath(PROGRAMS)) ||
  PATH.split(':').some((folder) => existsSync(join(folder, 'go')));

/** The folder with BuildKit's programs. No image can be pulled in tests, so they are compiled from Go's module proxy, once per machine. */
export async function openBuildKitPrograms(print: (line: string) => void): Promise<string> {
  if (existsSync(cachedFolderPath(PROGRAMS))) return await openCachedFolder(PROGRAMS);
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  print(`Compiling BuildKit ${BUILDKIT} for Docker tests, once per machine: takes 2 to 7 minutes`);
  const timer = setInterval(
    () => print(`Still compiling BuildKit, ${seconds()} s`),
    PROGRESS_MS,
  ).unref();
  try {
    return await openCachedFolder(PROGRAMS);
  } finally {
    clearInterval(timer);
    print(`Compiled BuildKit in ${seconds()} s`);
  }
}

async function compile(folder: string): Promise<void> {
  const source = join(folder, 'source');
  const module = await go(folder, ['mod', 'download', '-json', `${MODULE}@${BUILDKIT}`]);
  // Not `go install`: it refuses the `exclude` lines in the go.mod of BuildKit.
  await cp((JSON.parse(module) as { Dir: string }).Dir, source, { recursive: true });
  const flags = ['-trimpath', '-buildvcs=false', '-ldflags', '-s -w'];
  const options = ['-mod=mod', ...flags, '-tags', 'osusergo netgo', '-o', `${folder}/`];
  await go(source, ['build', ...options, './cmd/buildkitd', './cmd/buildctl']);
  const rootlesskit = 'github.com/rootless-containers/rootlesskit/v2/cmd/rootlesskit';
  await go(folder, ['install', ...flags, `${rootlesskit}@${ROOTLESSKIT}`]);
  await rm(source, { recursive: true });
}

/** With `nice`, because tests that run at the same time have deadlines. */
async function go(cwd: string, args: string[]): Promise<string> {
  const env = { ...ENV, PATH, CGO_ENABLED: '0', GOFLAGS: '', GOBIN: cwd };
  const { stdout } = await promisify(execFile)('nice', ['go', ...args], { cwd, env });
  return stdout;
}
