import { hasHiddenCharacters } from './characters.ts';
import { envKeyProblem } from './env-key.ts';
import { invalid, type Parsed, valid } from './parsed.ts';
import { parseSettings, type SettingParsers } from './settings.ts';

/** Languages whose version can be chosen. */
export type VersionedRuntime =
  | 'node'
  | 'python'
  | 'go'
  | 'ruby'
  | 'php'
  | 'java'
  | 'rust'
  | 'dotnet'
  | 'deno'
  | 'bun';

/** How the app is built from its repository. What is absent is detected. */
export type BuildSettings = {
  /** The folder of the app, relative to the root of the repository. */
  rootDirectory?: string;
  installCommand?: string;
  buildCommand?: string;
  /** Relative to the root directory. If it is set, its files are served as a static site. */
  outputDirectory?: string;
  /** Relative to the root directory. */
  dockerfile?: string;
  /** The stage of the Dockerfile. */
  target?: string;
  versions?: Partial<Record<VersionedRuntime, string>>;
  /** The names of the variables that the build gets. Absent: all. */
  variables?: string[];
};

/** How the app is started. What is absent is detected, or taken from the image. */
export type RunSettings = {
  command?: string;
  /** Runs once before a new build gets traffic, for example to migrate a database. */
  releaseCommand?: string;
  /** The time between SIGTERM and SIGKILL. Absent: the default. */
  stopGraceSeconds?: number;
};

/** A release command that takes longer is ended, and the release fails. */
export const RELEASE_COMMAND_MINUTES = 30;

export const DEFAULT_STOP_GRACE_SECONDS = 10;
export const STOP_GRACE_MIN_SECONDS = 1;
export const STOP_GRACE_MAX_SECONDS = 300;

const MAX_PATH_LENGTH = 255;
const MAX_COMMAND_LENGTH = 1_000;
const MAX_VARIABLES = 200;
const TARGET = /^[A-Za-z0-9][\w.-]{0,127}$/;
const VERSION = /^[\w.*^~<>=| +-]{1,50}$/;

/** `before`: the stored settings, in any form. */
export function parseBuildSettings(
  build: unknown,
  before?: unknown,
): Parsed<BuildSettings | undefined> {
  return parseSettings({ field: 'build', value: build, stored: before }, BUILD);
}

/** `before`: the stored settings, in any form. */
export function parseRunSettings(run: unknown, before?: unknown): Parsed<RunSettings | undefined> {
  return parseSettings({ field: 'run', value: run, stored: before }, RUN);
}

/** Of a path inside a repository, as it is typed. */
export function repositoryPathProblem(path: string): string | undefined {
  const text = path.trim();
  if (text.length > MAX_PATH_LENGTH) return `Must have at most ${MAX_PATH_LENGTH} characters`;
  if (hasHiddenCharacters(text)) return 'Must not contain control characters';
  if (text.includes('\\')) return 'Folders must be separated by /';
  if (text.startsWith('/')) return 'Must be a relative path, without / at its start';
  return text.split('/').includes('..') ? 'Must not contain ..' : undefined;
}

/** Of an install, build, start or release command, as it is typed. */
export function commandProblem(command: string): string | undefined {
  const text = command.trim();
  if (text.length > MAX_COMMAND_LENGTH) return `Must have at most ${MAX_COMMAND_LENGTH} characters`;
  return hasHiddenCharacters(text) ? 'Must be one line without control characters' : undefined;
}

export function targetProblem(target: string): string | undefined {
  const text = target.trim();
  return text === '' || TARGET.test(text)
    ? undefined
    : 'Must be the name of a stage of the Dockerfile';
}

export function versionProblem(version: string): string | undefined {
  const text = version.trim();
  return text === '' || VERSION.test(text) ? undefined : 'Must be a version such as 22 or 3.12';
}

/** Accepts text from a form field, which may be empty, as well as numbers from a request. */
export function stopGraceProblem(seconds: unknown): string | undefined {
  const trimmed = typeof seconds === 'string' ? seconds.trim() : seconds;
  if (trimmed === '') return undefined;
  const isDigits = typeof trimmed === 'string' && /^\d+$/.test(trimmed);
  const number = isDigits ? Number(trimmed) : trimmed;
  const isAllowed =
    Number.isInteger(number) &&
    Number(number) >= STOP_GRACE_MIN_SECONDS &&
    Number(number) <= STOP_GRACE_MAX_SECONDS;
  return isAllowed
    ? undefined
    : `Must be a whole number of seconds between ${STOP_GRACE_MIN_SECONDS} and ${STOP_GRACE_MAX_SECONDS}`;
}

/** Without `.` parts and repeated slashes; undefined for the root itself. */
export function normalizedPath(path: string): string | undefined {
  const parts = path
    .trim()
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  return parts.length === 0 ? undefined : parts.join('/');
}

type TextRule = {
  problemOf(text: string): string | undefined;
  normalize?(text: string): string | undefined;
};

/** Text that is empty counts as absent. */
function textParser(field: string, { problemOf, normalize }: TextRule) {
  return (value: unknown): Parsed<string | undefined> => {
    if (typeof value !== 'string') return invalid(field, 'Must be text');
    const problem = problemOf(value);
    if (problem !== undefined) return invalid(field, problem);
    const text = value.trim();
    return valid(text === '' ? undefined : (normalize ?? String)(text));
  };
}

const PATH = { problemOf: repositoryPathProblem, normalize: normalizedPath };
const COMMAND = { problemOf: commandProblem };

const BUILD: SettingParsers<BuildSettings> = {
  rootDirectory: textParser('build.rootDirectory', PATH),
  installCommand: textParser('build.installCommand', COMMAND),
  buildCommand: textParser('build.buildCommand', COMMAND),
  outputDirectory: textParser('build.outputDirectory', {
    ...PATH,
    normalize: (path) => normalizedPath(path) ?? '.',
  }),
  dockerfile: textParser('build.dockerfile', PATH),
  target: textParser('build.target', { problemOf: targetProblem }),
  versions: parseVersions,
  variables: parseVariables,
};

const RUN: SettingParsers<RunSettings> = {
  command: textParser('run.command', COMMAND),
  releaseCommand: textParser('run.releaseCommand', COMMAND),
  stopGraceSeconds: parseStopGrace,
};

function parseStopGrace(value: unknown): Parsed<number> {
  const problem = stopGraceProblem(typeof value === 'string' ? undefined : value);
  return problem === undefined ? valid(Number(value)) : invalid('run.stopGraceSeconds', problem);
}

function versionParser(runtime: VersionedRuntime) {
  return textParser(`build.versions.${runtime}`, { problemOf: versionProblem });
}

const VERSIONS: SettingParsers<Record<VersionedRuntime, string>> = {
  node: versionParser('node'),
  python: versionParser('python'),
  go: versionParser('go'),
  ruby: versionParser('ruby'),
  php: versionParser('php'),
  java: versionParser('java'),
  rust: versionParser('rust'),
  dotnet: versionParser('dotnet'),
  deno: versionParser('deno'),
  bun: versionParser('bun'),
};

function parseVersions(value: unknown, stored: unknown): Parsed<BuildSettings['versions']> {
  return parseSettings({ field: 'build.versions', value, stored }, VERSIONS);
}

function parseVariables(value: unknown): Parsed<string[]> {
  const field = 'build.variables';
  if (!Array.isArray(value)) return invalid(field, 'Must be a list of names');
  if (value.length > MAX_VARIABLES) {
    return invalid(field, `At most ${MAX_VARIABLES} names are allowed`);
  }
  for (const name of value) {
    const problem = typeof name === 'string' ? envKeyProblem(name) : 'Must be text';
    if (problem !== undefined) return invalid(field, `${JSON.stringify(name)}: ${problem}`);
  }
  return valid([...new Set<string>(value)].sort());
}
