import { dirname } from 'node:path';

/** Where a command runs. Its environment contains nothing of the server's environment. */
export type EnvironmentOptions = {
  home: string;
  temporary: string;
  folder: string;
  /** Folders of the release at the start of PATH. */
  path: string[];
  binDir: string;
  env: Record<string, string>;
};

/** The last one is where the official Go archive is installed. */
const SYSTEM_FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/local/go/bin'];

/** Later entries win: the user's variables cannot replace those of Longshore. */
export function buildEnvironment(
  options: EnvironmentOptions,
  build: {
    kind: 'install' | 'build';
    planEnv: Record<string, string>;
    memoryBytes: number;
    marks: Record<string, string>;
    /** Where package managers keep what they have downloaded. */
    caches: Record<string, string>;
  },
): Record<string, string> {
  const { NODE_ENV, ...env } = userVariables(options.env);
  return {
    LANG: 'C.UTF-8',
    NODE_OPTIONS: `--max-old-space-size=${heapMebibytes(build.memoryBytes)}`,
    ...env,
    // Building needs the development dependencies, which npm leaves out in production.
    ...(build.kind === 'install' || NODE_ENV === undefined ? {} : { NODE_ENV }),
    ...(build.kind === 'install' ? { npm_config_include: 'dev' } : {}),
    ...locationVariables(options),
    // The system may trust certificates that Node does not include, such as those of a company proxy.
    NODE_USE_SYSTEM_CA: '1',
    ...build.caches,
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_progress: 'false',
    npm_config_update_notifier: 'false',
    ...headersVariable(options),
    ...build.planEnv,
    ...build.marks,
  };
}

/** The headers of an installed Node. Packages would download them from nodejs.org. */
function headersVariable({ folder, path }: EnvironmentOptions): Record<string, string> {
  const installed = path.find((name) => /\/node-linux-\w+\/bin$/.test(name));
  return installed === undefined ? {} : { npm_config_nodedir: `${folder}/${dirname(installed)}` };
}

/** By default Node uses only about half of the memory that a build may use. */
function heapMebibytes(memoryBytes: number): number {
  return Math.floor((memoryBytes * 0.75) / 1024 ** 2);
}

export function instanceEnvironment(
  options: EnvironmentOptions,
  instance: {
    host: string;
    port: number | undefined;
    startEnv: Record<string, string>;
    marks: Record<string, string>;
  },
): Record<string, string> {
  return {
    LANG: 'C.UTF-8',
    NODE_ENV: 'production',
    // Otherwise output appears only when Python's buffer is full.
    PYTHONUNBUFFERED: '1',
    HOST: instance.host,
    npm_config_update_notifier: 'false',
    ...instance.startEnv,
    ...userVariables(options.env),
    ...locationVariables(options),
    ...(instance.port === undefined ? {} : { PORT: String(instance.port) }),
    ...instance.marks,
  };
}

/** Environment variables that identify the processes of a build, even outside their process group. */
export function buildMarks(appId: string): Record<string, string> {
  return { LONGSHORE_APP_ID: appId, LONGSHORE_ROLE: 'build' };
}

/** Environment variables that identify the processes of an instance, even outside their process group. */
export function instanceMarks(
  appId: string,
  instance: { id: string; release: number },
): Record<string, string> {
  return {
    LONGSHORE_APP_ID: appId,
    LONGSHORE_RELEASE: String(instance.release),
    LONGSHORE_ROLE: 'instance',
    LONGSHORE_INSTANCE: instance.id,
  };
}

/** Environment variables that identify the processes of a command, or without an id of all commands of an app. */
export function commandMarks(appId: string, id?: string): Record<string, string> {
  return {
    LONGSHORE_APP_ID: appId,
    LONGSHORE_ROLE: 'command',
    ...(id === undefined ? {} : { LONGSHORE_COMMAND: id }),
  };
}

function userVariables(env: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^LONGSHORE_/i.test(name)));
}

function locationVariables({ home, temporary, folder, path, binDir }: EnvironmentOptions) {
  const releaseFolders = path.map((name) => `${folder}/${name}`);
  return {
    HOME: home,
    TMPDIR: temporary,
    PATH: [...releaseFolders, binDir, ...SYSTEM_FOLDERS].join(':'),
  };
}
