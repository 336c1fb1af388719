import type { Argv, BuildPlan, BuildStep, Runtime, StartPlan } from './build-plan.ts';

/** Where our own server of static files lies in a build context. */
export const STATIC_SERVER_FILE = '.longshore/static-server.ts';

export const PYTHON_IMAGE = 'python:3.13-slim-bookworm';
export const GO_IMAGE = 'golang:1.25-bookworm';
/** For programs that bring all they need. */
export const PLAIN_IMAGE = 'debian:bookworm-slim';

const FOLDER = '/app';
const HOME = '/home/app';
/** No user of the machine's, and not root. */
const USER = '1000:1000';
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** Says of an image that `${PORT}` and `${HOST}` in its command are filled in when a container is made of it. */
export const VARIABLES_LABEL = 'dev.longshore.names';
/** Where an app in a container listens, if it asks. */
export const LISTEN_HOST = '0.0.0.0';

/** The plan as a Dockerfile, for a checkout that brings none. Every command is an array; no shell reads any. */
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

/** What of a checkout stays out of an image that is made with a plan: what the plan makes itself. */
export function renderDockerignore({ steps, path }: BuildPlan): string {
  const made = steps.length === 0 ? [] : path.map((folder) => folder.split('/')[0] ?? '');
  const names = ['.git', ...new Set(made)].filter(
    (name) => name !== '.longshore' && name !== 'bin',
  );
  return `${names.join('\n')}\n`;
}

/** Caches that would only make the image larger. */
const BUILD_ENV: Record<Runtime, Record<string, string>> = {
  node: {},
  static: {},
  python: { PIP_NO_CACHE_DIR: '1', UV_NO_CACHE: '1' },
  // A module may ask for a newer Go than the image has.
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

/** What only some files decide comes first, so that the next build finds it made if those did not change. */
function stepLines(steps: BuildStep[]): string[] {
  const firstWhole = steps.findIndex(({ inputs }) => inputs === undefined);
  const early = firstWhole === -1 ? steps : steps.slice(0, firstWhole);
  return [
    ...early.flatMap(({ argv, inputs = [] }) => [
      ...(inputs.length === 0 ? [] : [copy([...inputs, './'])]),
      run(argv),
    ]),
    copy(['.', '.']),
    ...steps.slice(early.length).map(({ argv }) => run(argv)),
  ];
}

/** Without compiler and caches. */
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
  const hasNames = start.argv.some((word) => word.includes('${'));
  return [
    ...envLines(start.env),
    ...(hasNames ? [`LABEL ${VARIABLES_LABEL}=true`] : []),
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

/** As one word on one line, in which nothing stands for anything else. */
function quoted(text: string): string {
  return JSON.stringify(text.replace(/\p{Cc}/gu, ' ')).replaceAll('$', '\\$');
}
