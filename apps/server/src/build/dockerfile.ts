import type { Argv, BuildPlan, BuildStep, Runtime, StartPlan } from './build-plan.ts';

/** The static file server in the build context. */
export const STATIC_SERVER_FILE = '.longshore/static-server.ts';

export const PYTHON_IMAGE = 'python:3.13-slim-bookworm';
export const GO_IMAGE = 'golang:1.25-bookworm';
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

/** Renders the plan as a Dockerfile, for checkouts without one. All commands are arrays, so no shell is involved. */
export function renderDockerfile(plan: BuildPlan, nodeImage: string): string {
  const images: Record<Runtime, string> = {
    node: nodeImage,
    static: nodeImage,
    python: PYTHON_IMAGE,
    go: GO_IMAGE,
    procfile: PLAIN_IMAGE,
  };
  const isCompiled = plan.runtime === 'go';
  const lines = [
    `FROM ${images[plan.runtime]}${isCompiled ? ' AS build' : ''}`,
    ...workingDirectoryLines(),
    ...envLines({ ...BUILD_ENV[plan.runtime], ...plan.env }),
    ...pathLines(plan.path),
    ...stepLines(plan.steps),
    ...(isCompiled ? finalStage(plan.path) : []),
    ...envLines({ ...START_ENV[plan.runtime], HOST: LISTEN_HOST }),
    ...startLines(plan.start),
  ];
  return `${lines.join('\n')}\n`;
}

/** Excludes files that the plan creates itself from the build context. */
export function renderDockerignore({ steps, path }: BuildPlan): string {
  const createdFolders = steps.length === 0 ? [] : path.map((folder) => folder.split('/')[0] ?? '');
  const names = ['.git', ...new Set(createdFolders)].filter(
    (name) => name !== '.longshore' && name !== 'bin',
  );
  return `${names.join('\n')}\n`;
}

/** Disables caches that would only make the image larger. */
const BUILD_ENV: Record<Runtime, Record<string, string>> = {
  node: {},
  static: {},
  python: { PIP_NO_CACHE_DIR: '1', UV_NO_CACHE: '1' },
  // A module may require a newer Go than the image has.
  go: { GOTOOLCHAIN: 'auto' },
  procfile: {},
};

const START_ENV: Record<Runtime, Record<string, string>> = {
  node: { NODE_ENV: 'production' },
  static: { NODE_ENV: 'production' },
  python: {},
  go: {},
  procfile: {},
};

function workingDirectoryLines(): string[] {
  return [
    run(['mkdir', '-p', FOLDER, HOME]),
    run(['chown', USER, FOLDER, HOME]),
    `WORKDIR ${FOLDER}`,
    `USER ${USER}`,
    `ENV HOME=${HOME}`,
  ];
}

function pathLines(path: string[]): string[] {
  if (path.length === 0) return [];
  return [`ENV PATH=${path.map((name) => `${FOLDER}/${name}`).join(':')}:$PATH`];
}

/** Steps that depend on few files come first, so that Docker caches them while those files do not change. */
function stepLines(steps: BuildStep[]): string[] {
  const firstWithoutInputs = steps.findIndex(({ inputs }) => inputs === undefined);
  const cacheable = firstWithoutInputs === -1 ? steps : steps.slice(0, firstWithoutInputs);
  return [
    ...cacheable.flatMap(({ argv, inputs = [] }) => [
      ...(inputs.length === 0 ? [] : [copy([...inputs, './'])]),
      run(argv),
    ]),
    copy(['.', '.']),
    ...steps.slice(cacheable.length).map(({ argv }) => run(argv)),
  ];
}

/** The final image, without compiler and caches. */
function finalStage(path: string[]): string[] {
  return [
    `FROM ${PLAIN_IMAGE}`,
    `COPY --from=build ${CERTIFICATES} ${CERTIFICATES}`,
    ...workingDirectoryLines(),
    ...pathLines(path),
    `COPY --from=build --chown=${USER} ${FOLDER} ${FOLDER}`,
  ];
}

function startLines(start: StartPlan): string[] {
  if (start.kind === 'static') {
    return [command(['node', STATIC_SERVER_FILE, start.folders.join(',')])];
  }
  const hasVariables = start.argv.some((word) => word.includes('${'));
  return [
    ...envLines(start.env),
    ...(hasVariables ? [`LABEL ${VARIABLES_LABEL}=true`] : []),
    command(start.argv),
  ];
}

function envLines(env: Record<string, string>): string[] {
  return Object.entries(env).map(([name, value]) => `ENV ${name}=${quoted(value)}`);
}

function copy(paths: string[]): string {
  return `COPY --chown=${USER} ${JSON.stringify(paths)}`;
}

function run(argv: Argv): string {
  return `RUN ${JSON.stringify(argv)}`;
}

function command(argv: Argv): string {
  return `CMD ${JSON.stringify(argv)}`;
}

/** Quotes a value as one word on one line, without variable expansion. */
function quoted(text: string): string {
  return JSON.stringify(text.replace(/\p{Cc}/gu, ' ')).replaceAll('$', '\\$');
}
