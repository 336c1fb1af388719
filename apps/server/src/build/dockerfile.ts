import {
  type Argv,
  type BuildPlan,
  type BuildStep,
  type Runtime,
  SINGLE_PAGE_OPTION,
} from './build-plan.ts';
import { NODE_FOLDER } from './node/provide-node.ts';

/** Programs in the build context, each with the files that it imports: the static file server, and how its folder is found. */
export const SITE_PROGRAMS = ['static-server.ts', 'link-site-folder.ts', 'site-folder.ts'];
const STATIC_SERVER_FILE = '.longshore/static-server.ts';
const LINK_FILE = '.longshore/link-site-folder.ts';
/** Leads to the folder of a site that was built. */
const SITE_LINK = '.longshore/site';

export const PYTHON_IMAGE = 'python:3.13-slim-bookworm';
/** The version in that image. */
export const IMAGE_PYTHON = '3.13.0';
export const GO_IMAGE = 'golang:1.25-bookworm';
const OTHER_IMAGES = {
  ruby: 'ruby:3.4-bookworm',
  php: 'dunglas/frankenphp:1-php8.4-bookworm',
  maven: 'maven:3.9-eclipse-temurin-21',
  gradle: 'gradle:8-jdk21',
  rust: 'rust:1-bookworm',
  dotnet: 'mcr.microsoft.com/dotnet/sdk:9.0',
};
/** For self-contained programs. */
export const PLAIN_IMAGE = 'debian:bookworm-slim';

const FOLDER = '/app';
const HOME = '/home/app';
/** Not root. */
const USER = '1000:1000';
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** Marks images whose command contains `${PORT}` or `${HOST}`, which are replaced when a container is created. */
export const VARIABLES_LABEL = 'dev.longshore.names';
/** The value of HOST in a container. */
export const LISTEN_HOST = '0.0.0.0';

export type DockerfileOptions = {
  nodeImage: string;
  root: string | undefined;
  /** The names of the variables that the steps get. They are secrets of the build, so no layer contains their values. */
  variables: string[];
  /** Whether another command than that of the plan starts the app. */
  hasStartCommand: boolean;
};

/** Renders the plan as a Dockerfile, for checkouts without one. All commands are arrays, so no shell is involved. */
export function renderDockerfile(
  plan: BuildPlan,
  { nodeImage, root, variables, hasStartCommand }: DockerfileOptions,
): string {
  const images: Record<Runtime, string> = {
    node: nodeImage,
    static: nodeImage,
    python: PYTHON_IMAGE,
    go: GO_IMAGE,
    ...OTHER_IMAGES,
    procfile: PLAIN_IMAGE,
  };
  const isCompiled = plan.runtime === 'go' || plan.runtime === 'rust';
  const lines = [
    `FROM ${images[plan.runtime]}${isCompiled ? ' AS build' : ''}`,
    ...workingDirectoryLines(root),
    ...envLines({ ...BUILD_ENV[plan.runtime], ...plan.env }),
    ...(usesImageNode(plan) ? ['ENV IMAGE_PATH=$PATH'] : []),
    ...pathLines(plan.path, root),
    ...stepLines(plan, root, variables),
    ...(isCompiled ? finalStage(plan.path, root) : []),
    ...envLines({ ...START_ENV[plan.runtime], HOST: LISTEN_HOST }),
    ...startLines(plan, { root, hasStartCommand }),
  ];
  return `${lines.join('\n')}\n`;
}

/** What an image adds to its base image, apart from the files of the app in `folder`, which belong to `user`. */
export type CopiedImage = {
  folder: string;
  home: string;
  user: string;
  workingDirectory: string;
  env: Record<string, string>;
  /** Folders that come first in PATH. */
  path: string[];
  labels: Record<string, string>;
  command: Argv;
};

/** The same image as that of the Dockerfile, if it is only the Node image with the files of the app: nothing runs to make it. */
export function copiedImage(plan: BuildPlan, root: string | undefined): CopiedImage | undefined {
  const isOnNode = plan.runtime === 'node' || plan.runtime === 'static';
  if (!isOnNode || plan.steps.length > 0) return undefined;
  const { env, hasVariables, argv } = startOf(plan, root);
  return {
    folder: FOLDER,
    home: HOME,
    user: USER,
    workingDirectory: root === undefined ? FOLDER : `${FOLDER}/${root}`,
    env: { HOME, ...plan.env, ...START_ENV[plan.runtime], HOST: LISTEN_HOST, ...env },
    path: pathFolders(plan.path, root),
    labels: hasVariables ? { [VARIABLES_LABEL]: 'true' } : {},
    command: argv,
  };
}

/** The version in the tag of an image: the newest one with these numbers. Undefined if it names none. */
export function imageVersion(image: string): string | undefined {
  const [, major, minor = '999', patch = '999'] =
    /:v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-[\w.-]+)?(?:@.*)?$/.exec(image) ?? [];
  return major && [major, minor, patch].join('.');
}

/** Excludes files that the plan creates itself from the build context. */
export function renderDockerignore({ steps, path }: BuildPlan, root: string | undefined): string {
  const createdFolders = steps.length === 0 ? [] : path.map((folder) => folder.split('/')[0] ?? '');
  const excluded = [...new Set(createdFolders)].filter(
    (name) => name !== '.longshore' && name !== 'bin' && name !== '..',
  );
  const names = ['.git', ...excluded.map((name) => inRoot(name, root))];
  return `${names.join('\n')}\n`;
}

/** Disables caches that would only make the image larger. */
const BUILD_ENV: Partial<Record<Runtime, Record<string, string>>> = {
  python: { PIP_NO_CACHE_DIR: '1', UV_NO_CACHE: '1' },
};

const START_ENV: Partial<Record<Runtime, Record<string, string>>> = {
  node: { NODE_ENV: 'production' },
  static: { NODE_ENV: 'production' },
};

function inRoot(path: string, root: string | undefined): string {
  return root === undefined ? path : `${root}/${path}`;
}

function workingDirectoryLines(root: string | undefined): string[] {
  const folder = root === undefined ? FOLDER : `${FOLDER}/${root}`;
  return [
    run(['mkdir', '-p', folder, HOME]),
    run(['chown', ...(root === undefined ? [] : ['-R']), USER, FOLDER, HOME]),
    `WORKDIR ${root === undefined ? folder : quoted(folder)}`,
    `USER ${USER}`,
    `ENV HOME=${HOME}`,
  ];
}

function pathLines(path: string[], root: string | undefined): string[] {
  if (path.length === 0) return [];
  const folders = pathFolders(path, root).join(':');
  return [`ENV PATH=${root === undefined ? folders : quoted(folders)}:$PATH`];
}

function pathFolders(path: string[], root: string | undefined): string[] {
  return path.map((name) => `${FOLDER}/${inRoot(name, root)}`);
}

/** Steps that depend on few files come first, so that Docker caches them while those files do not change. */
function stepLines(
  { steps, env }: BuildPlan,
  root: string | undefined,
  variables: string[],
): string[] {
  const own = variables.filter((name) => !RESERVED.test(name) && env[name] === undefined);
  const runStep = ({ kind, argv, orElse }: BuildStep) => {
    // Building needs the development dependencies, which npm leaves out in production.
    const given = own.filter((name) => kind === 'build' || name !== 'NODE_ENV');
    return run(argv, { orElse, secrets: given });
  };
  const firstWithoutInputs = steps.findIndex(({ inputs }) => inputs === undefined);
  const cacheable = firstWithoutInputs === -1 ? steps : steps.slice(0, firstWithoutInputs);
  return [
    ...cacheable.flatMap((step) => [...copyInputs(step, root), runStep(step)]),
    copy(['.', root === undefined ? '.' : `${FOLDER}/`]),
    ...steps.slice(cacheable.length).map(runStep),
  ];
}

/** Variables that decide where programs and files are, and our own. */
const RESERVED = /^(?:PATH|HOME|TMPDIR|LONGSHORE_.*)$/i;

function copyInputs({ inputs = [] }: BuildStep, root: string | undefined): string[] {
  return inputs.length === 0 ? [] : [copy([...inputs.map((name) => inRoot(name, root)), './'])];
}

/** The final image, without compiler and caches. */
function finalStage(path: string[], root: string | undefined): string[] {
  return [
    `FROM ${PLAIN_IMAGE}`,
    `COPY --from=build ${CERTIFICATES} ${CERTIFICATES}`,
    ...workingDirectoryLines(root),
    ...pathLines(path, root),
    `COPY --from=build --chown=${USER} ${FOLDER} ${FOLDER}`,
  ];
}

function startLines(
  plan: BuildPlan,
  { root, hasStartCommand }: Pick<DockerfileOptions, 'root' | 'hasStartCommand'>,
): string[] {
  const { start, steps } = plan;
  const { env, hasVariables, argv } = startOf(plan, root);
  // A build for another command need not write pages.
  const isSearched = start.kind === 'static' && steps.length > 0 && !hasStartCommand;
  const find = isSearched
    ? [
        run(
          imageNode(plan, [
            'node',
            located(LINK_FILE, root),
            start.folders.join(','),
            located(SITE_LINK, root),
          ]),
        ),
      ]
    : [];
  return [
    ...find,
    ...envLines(env),
    ...(hasVariables ? [`LABEL ${VARIABLES_LABEL}=true`] : []),
    `CMD ${JSON.stringify(argv)}`,
  ];
}

type ImageStart = { env: Record<string, string>; hasVariables: boolean; argv: Argv };

function startOf(plan: BuildPlan, root: string | undefined): ImageStart {
  const { start, steps } = plan;
  if (start.kind === 'command') {
    const hasVariables = start.argv.some((word) => word.includes('${'));
    return { env: start.env, hasVariables, argv: start.argv };
  }
  const options = start.isSinglePage ? [SINGLE_PAGE_OPTION] : [];
  const folder = steps.length === 0 ? start.folders.join(',') : located(SITE_LINK, root);
  const serve = ['node', located(STATIC_SERVER_FILE, root), ...options, folder] as const;
  return { env: {}, hasVariables: false, argv: imageNode(plan, serve) };
}

function located(path: string, root: string | undefined): string {
  return root === undefined ? path : `${FOLDER}/${path}`;
}

/** Sites are served by the Node of the image, whichever one they are built with. */
function usesImageNode({ start, path }: BuildPlan): boolean {
  return start.kind === 'static' && path.some((folder) => folder.startsWith(NODE_FOLDER));
}

function imageNode(plan: BuildPlan, argv: Argv): Argv {
  if (!usesImageNode(plan)) return argv;
  return ['/bin/sh', '-c', `PATH="$IMAGE_PATH" exec ${argv.map(shellWord).join(' ')}`];
}

function envLines(env: Record<string, string>): string[] {
  return Object.entries(env).map(([name, value]) => `ENV ${name}=${quoted(value)}`);
}

function copy(paths: string[]): string {
  return `COPY --chown=${USER} ${JSON.stringify(paths)}`;
}

type RunOptions = { orElse?: readonly Argv[] | undefined; secrets?: string[] };

function run(argv: Argv, { orElse, secrets = [] }: RunOptions = {}): string {
  const mounts = secrets.map((name) => `--mount=type=secret,id=${name},env=${name} `).join('');
  return `RUN ${mounts}${JSON.stringify(stepCommand(argv, orElse))}`;
}

/** The command of a step and those that run if it fails, as one. */
export function stepCommand(argv: Argv, orElse: readonly Argv[] = []): Argv {
  if (orElse.length === 0) return argv;
  const line = [argv, ...orElse].map((words) => words.map(shellWord).join(' ')).join(' || ');
  return ['/bin/sh', '-c', line];
}

function shellWord(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Quotes a value as one word on one line, without variable expansion. */
function quoted(text: string): string {
  return JSON.stringify(text.replace(/\p{Cc}/gu, ' ')).replaceAll('$', '\\$');
}
