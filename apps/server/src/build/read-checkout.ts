import { constants, type Dirent } from 'node:fs';
import { type FileHandle, lstat, open, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Checkout, Workspace } from './build-plan.ts';
import { EXAMPLE_FILES } from './example-variables.ts';
import { ENTRY_FILES } from './node/entry-file.ts';
import { ECOSYSTEM } from './node/managed-program.ts';
import { containsPackage } from './node/workspace.ts';
import { PLATFORM_FILES } from './platform-files.ts';

const MAX_MANIFEST_BYTES = 1_048_576;
/** How deep below its root a checkout is looked at. */
const MAX_DEPTH = 3;
const MAX_FOLDERS = 2_000;
/** Folders of packages, and hidden ones, except of tools whose configuration decides. */
const SKIPPED_FOLDER = /^(?:node_modules|vendor|venv|__pycache__|\.(?!vitepress$).*)$/;

/** Files that are read as a whole. */
const WHOLE = new Set([
  ...EXAMPLE_FILES,
  ...PLATFORM_FILES,
  ...'app.json Dockerfile Procfile package.json pnpm-workspace.yaml angular.json .yarnrc.yml requirements.txt pyproject.toml Pipfile setup.py setup.cfg manage.py main.py app.py go.mod .nvmrc .node-version .tool-versions .python-version runtime.txt Gemfile composer.json pom.xml build.gradle build.gradle.kts Cargo.toml deno.json deno.jsonc'.split(
    ' ',
  ),
]);
const CONFIGURATION =
  /^(?:(?:next|nuxt|svelte|astro|vite|vue|react-router|eleventy)\.config|\.eleventy)\.[cm]?[jt]s$/;
/** Projects of .NET; programs of Python where apps usually are, lists of packages, and the settings of Django. */
const PROGRAMS = [
  /^(?:[^/]+\/){0,2}[\w.-]+\.csproj$/,
  /^[^/]+\.py$/,
  /^(?:[^/]+\/){1,2}settings(?:\/\w+)?\.py$/,
  /^requirements(?:\/[\w.-]+|[\w.-]+)\.txt$/,
  /^(?:app|src|api|backend|server)\/\w+\.py$/,
  /^(?:src\/)?\w+\/(?:__init__|main|app|wsgi|asgi|server|application|run|api|web|index)\.py$/,
];
/** Files with the package clause of Go programs. */
const GO = [
  /^[^/]+\.go$/,
  /^cmd\/(?:[^/]+\/){0,2}[^/]+\.go$/,
  /^[^/]+\/main\.go$/,
  /^[^/]+\/[^/]+\.go$/,
];
/** Of the packages of a repository. */
const NESTED_MANIFEST = /\/package\.json$/;
const MAX_NESTED_MANIFESTS = 100;
/** Files of which only the beginning is read. */
const BEGINNING = [
  /^(?:pnpm-lock\.yaml|yarn\.lock|package-lock\.json|npm-shrinkwrap\.json)$/,
  ...GO,
];
const BEGINNING_BYTES = 16_384;
/** A build can write a million files. Only so many are listed, and the ones whose names matter. */
const MAX_ENTRIES = 20_000;
const MAX_BEGINNINGS = 200;
const INDEX = 'index.html';

/** Reads the root directory of an app, and the workspace that it belongs to. */
export async function readProject(
  repository: string,
  rootDirectory: string | undefined,
): Promise<Checkout> {
  if (rootDirectory === undefined) return await readCheckout(repository);
  const checkout = await readCheckout(join(repository, rootDirectory));
  const workspace = await readWorkspace(repository, rootDirectory);
  return workspace === undefined ? checkout : { ...checkout, workspace };
}

/** The nearest folder above that names the root directory as one of its packages. */
async function readWorkspace(
  repository: string,
  rootDirectory: string,
): Promise<Workspace | undefined> {
  const parts = rootDirectory.split('/');
  for (let up = 1; up <= parts.length; up += 1) {
    const folder = join(repository, ...parts.slice(0, -up));
    const above = await readCheckout(folder, 0);
    const path = Array(up).fill('..').join('/');
    if (containsPackage(above, parts.slice(-up).join('/'))) return { path, ...above };
  }
  return undefined;
}

/** Reads an untrusted checkout: links, pipes and huge files are treated as missing. */
export async function readCheckout(folder: string, maxDepth = MAX_DEPTH): Promise<Checkout> {
  const files = await listFiles(folder, maxDepth);
  const isWhole = (name: string) =>
    WHOLE.has(name) ||
    EXAMPLE_FILES.includes(name.toLowerCase()) ||
    [CONFIGURATION, ECOSYSTEM].some((it) => it.test(name)) ||
    ENTRY_FILES.has(name);
  const nested = files.filter((name) => NESTED_MANIFEST.test(name)).slice(0, MAX_NESTED_MANIFESTS);
  const beginnings = inOrderOf(BEGINNING, files).slice(0, MAX_BEGINNINGS);
  const programs = inOrderOf(PROGRAMS, files)
    .filter((name) => !isWhole(name))
    .slice(0, MAX_BEGINNINGS);
  const texts: Record<string, string> = {};
  const read = async (names: string[], reader: Reader) => {
    for (const name of names) {
      const text = await plainText(join(folder, name), reader);
      if (text !== undefined) texts[name] = text;
    }
  };
  await read([...files.filter(isWhole), ...nested, ...programs], whole);
  await read(beginnings, beginning);
  return { files, texts };
}

/** The text of one file of an untrusted checkout, unless it is a link or huge. */
export async function readPlainFile(path: string): Promise<string | undefined> {
  return await plainText(path, whole);
}

/** The files that match one of the patterns, those of the first patterns first. */
function inOrderOf(patterns: RegExp[], files: string[]): string[] {
  return [...new Set(patterns.flatMap((pattern) => files.filter((name) => pattern.test(name))))];
}

/** Breadth first, so that the files near the root are listed in any case. */
async function listFiles(folder: string, maxDepth: number): Promise<string[]> {
  const files: string[] = [];
  const isListed = ({ name }: Dirent) =>
    files.length < MAX_ENTRIES || WHOLE.has(name) || name === INDEX;
  let level = ['.'];
  let visited = 0;
  for (let depth = 0; depth <= maxDepth && visited < MAX_FOLDERS; depth += 1) {
    const below: string[] = [];
    for (const name of level.slice(0, MAX_FOLDERS - visited)) {
      for await (const entry of plainEntries(join(folder, name))) {
        const path = name === '.' ? entry.name : `${name}/${entry.name}`;
        if (entry.isFile() && isListed(entry)) files.push(path);
        const isOpened = below.length < MAX_FOLDERS && !SKIPPED_FOLDER.test(entry.name);
        if (entry.isDirectory() && isOpened) below.push(path);
      }
    }
    visited += level.length;
    level = below;
  }
  return files;
}

async function* plainEntries(path: string): AsyncGenerator<Dirent> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats?.isDirectory()) yield* await opendir(path, { bufferSize: 1_000 });
}

type Reader = (file: FileHandle, bytes: number) => Promise<string | undefined>;

async function plainText(path: string, read: Reader): Promise<string | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const stats = await file.stat();
    return stats.isFile() ? await read(file, stats.size) : undefined;
  } finally {
    await file.close();
  }
}

const whole: Reader = async (file, bytes) =>
  bytes > MAX_MANIFEST_BYTES ? undefined : await file.readFile('utf8');

const beginning: Reader = async (file) => {
  const { buffer, bytesRead } = await file.read(
    Buffer.alloc(BEGINNING_BYTES),
    0,
    BEGINNING_BYTES,
    0,
  );
  return buffer.toString('utf8', 0, bytesRead);
};
