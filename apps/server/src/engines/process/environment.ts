/** The whole environment of what runs for an app: nothing of the server's own is in it. */
export type EnvironmentOptions = {
  home: string;
  temporary: string;
  folder: string;
  /** Folders of the release whose programs are found before others. */
  path: string[];
  binDir: string;
  env: Record<string, string>;
};

/** Go's own installer puts it where no system looks. */
const SYSTEM_FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/local/go/bin'];

/** The user's variables come first, so that they cannot replace ours. */
export function buildEnvironment(
  parts: EnvironmentOptions,
  build: {
    kind: 'install' | 'build';
    planEnv: Record<string, string>;
    marks: Record<string, string>;
  },
): Record<string, string> {
  const { NODE_ENV, ...env } = userVariables(parts.env);
  return {
    LANG: 'C.UTF-8',
    ...env,
    // Building needs the development dependencies, which npm leaves out in production.
    ...(build.kind === 'install' || NODE_ENV === undefined ? {} : { NODE_ENV }),
    ...(build.kind === 'install' ? { npm_config_include: 'dev' } : {}),
    ...locationVariables(parts),
    // A machine may trust more than Node brings along, such as the certificate of its network's own proxy.
    NODE_USE_SYSTEM_CA: '1',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_progress: 'false',
    npm_config_update_notifier: 'false',
    ...build.planEnv,
    ...build.marks,
  };
}

export function instanceEnvironment(
  parts: EnvironmentOptions,
  instance: { port: number; startEnv: Record<string, string>; marks: Record<string, string> },
): Record<string, string> {
  return {
    LANG: 'C.UTF-8',
    NODE_ENV: 'production',
    // Those that honour it listen where only the ingress reaches them; the user may writeLine otherwise.
    HOST: '127.0.0.1',
    npm_config_update_notifier: 'false',
    ...instance.startEnv,
    ...userVariables(parts.env),
    ...locationVariables(parts),
    PORT: String(instance.port),
    ...instance.marks,
  };
}

/** By these a build's processes are found again, wherever they went. */
export function buildMarks(appId: string): Record<string, string> {
  return { LONGSHORE_APP_ID: appId, LONGSHORE_ROLE: 'build' };
}

/** By these an instance's processes are found again, wherever they went. */
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

function userVariables(env: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^LONGSHORE_/i.test(name)));
}

function locationVariables({ home, temporary, folder, path, binDir }: EnvironmentOptions) {
  const own = path.map((name) => `${folder}/${name}`);
  return { HOME: home, TMPDIR: temporary, PATH: [...own, binDir, ...SYSTEM_FOLDERS].join(':') };
}
