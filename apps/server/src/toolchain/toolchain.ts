import { chmod, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Program } from './readable-program.ts';
import { ensureReadableProgram } from './readable-program.ts';

/** Node and npm for apps, at paths that the users of all apps can read. */
export type Toolchain = {
  nodePath: string;
  npmCliPath: string;
  /** Holds `node`, `npm` and `npx`: the first folder of an app's PATH. */
  binDir: string;
};

type ToolchainDeps = {
  dataDir: string;
  isRoot: boolean;
  /** The Node binary that runs the server. */
  nodePath: string;
  nodeVersion: string;
};

const NPM_CLI = join('bin', 'npm-cli.js');
const NPX_CLI = join('bin', 'npx-cli.js');

export async function createToolchain(deps: ToolchainDeps): Promise<Toolchain> {
  const { dataDir, isRoot } = deps;
  const npm = await npmProgram();
  const node: Program = {
    name: 'node',
    version: deps.nodeVersion,
    path: deps.nodePath,
    samples: [],
  };
  const nodePath = isRoot ? await ensureReadableProgram(node, { dataDir }) : node.path;
  const npmPath = isRoot ? await ensureReadableProgram(npm, { dataDir }) : npm.path;
  const npmCliPath = join(npmPath, NPM_CLI);
  const binDir = join(dataDir, 'programs', 'bin');
  await replaceLinks(binDir, { node: nodePath, npm: npmCliPath, npx: join(npmPath, NPX_CLI) });
  return { nodePath, npmCliPath, binDir };
}

async function npmProgram(): Promise<Program> {
  const manifestPath = createRequire(import.meta.url).resolve('npm/package.json');
  const manifest = JSON.parse(await readFile(manifestPath, 'utf8')) as { version: string };
  return {
    name: 'npm',
    version: manifest.version,
    path: dirname(manifestPath),
    samples: ['package.json', NPM_CLI, join('lib', 'cli.js')],
  };
}

/** Replaces each link atomically: running apps may be using it. */
async function replaceLinks(folder: string, targets: Record<string, string>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const path of [dirname(folder), folder]) await chmod(path, 0o755);
  for (const [name, target] of Object.entries(targets)) {
    const replacement = join(folder, `.${name}`);
    await rm(replacement, { force: true });
    await symlink(target, replacement);
    await rename(replacement, join(folder, name));
  }
}
