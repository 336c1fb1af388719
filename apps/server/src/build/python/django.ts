import type { Argv, BuildStep, Checkout } from '../build-plan.ts';
import { listsPackage } from './python-packages.ts';
import { GUNICORN, gunicorn, ownServer, type PythonStart, uvicorn } from './python-servers.ts';

/** How to start a project with a manage.py. */
export function django(checkout: Checkout): PythonStart {
  const packages = listsPackage(checkout, 'django') ? [] : ['django'];
  const project = projectOf(checkout);
  if (project === undefined) return ownServer(packages);
  const hosts = allowHosts(checkout, project);
  const build = [...hosts.build, ...collectStatic(checkout), ...migrate(checkout)];
  const { env } = hosts;
  if (!listsPackage(checkout, 'gunicorn') && listsPackage(checkout, 'uvicorn')) {
    const target = { folder: undefined, name: `${project}.asgi:application` };
    return { ...uvicorn(target, 'manage.py'), packages, build, env };
  }
  const target = { folder: undefined, name: `${project}.wsgi` };
  const server = listsPackage(checkout, 'gunicorn') ? [] : [GUNICORN];
  return { ...gunicorn(target, 'manage.py'), packages: [...packages, ...server], build, env };
}

/** The package with wsgi.py and asgi.py. */
function projectOf({ files, texts }: Checkout): string | undefined {
  const settings = /DJANGO_SETTINGS_MODULE["']\s*,\s*["']([\w.]+)\.settings\b/;
  const [, named] = settings.exec(texts['manage.py'] ?? '') ?? [];
  if (named !== undefined) return named;
  const folders = files.flatMap((file) => /^([A-Za-z_]\w*)\/wsgi\.py$/.exec(file)?.[1] ?? []);
  return folders.length === 1 ? folders[0] : undefined;
}

const SET_STATIC_ROOT =
  /^STATIC_ROOT\s*=\s*(?:["'(]|(?:os[._])?path[._]|join\(|str\(|Path\(|\w*(?:DIR|ROOT|PATH|BASE)\b)/m;

/** If the settings say where the static files go. */
function collectStatic(checkout: Checkout): BuildStep[] {
  const settings = settingsOf(checkout);
  if (!settings.some((text) => /^\s*STATIC_ROOT\s*=/m.test(text))) return [];
  const collect = step(['python3', 'manage.py', 'collectstatic', '--noinput']);
  // Below a condition, or by a function of the project, it may not be set in this environment.
  const isAlwaysSet = settings.some((text) => SET_STATIC_ROOT.test(text));
  return [isAlwaysSet ? collect : { ...collect, orElse: [['true']] }];
}

/**
 * Creates the tables of a SQLite database in the release. `DATABASE_URL` is left out, so that a build never changes
 * another database.
 */
function migrate(checkout: Checkout): BuildStep[] {
  if (!settingsOf(checkout).some((text) => text.includes('sqlite'))) return [];
  const argv: Argv = ['env', '-u', 'DATABASE_URL', 'python3', 'manage.py', 'migrate', '--noinput'];
  return [{ ...step(argv), label: 'python3 manage.py migrate', orElse: [['true']] }];
}

const OPEN_SETTINGS = 'longshore_settings';

/**
 * Django refuses requests for hosts that its settings do not list. Only requests for the domains of the app reach it, so a
 * fixed list is replaced, by settings that import those of the project; a variable that holds the list gets a default.
 */
function allowHosts(
  { texts }: Checkout,
  project: string,
): { build: BuildStep[]; env: Record<string, string> } {
  const named = /DJANGO_SETTINGS_MODULE["']\s*,\s*["']([\w.]+)["']/;
  const wsgi = `${project.replaceAll('.', '/')}/wsgi.py`;
  const settings = [wsgi, 'manage.py'].flatMap((it) => named.exec(texts[it] ?? '')?.[1] ?? [])[0];
  const text = texts[`${settings?.replaceAll('.', '/')}.py`] ?? '';
  const [, variable] = /^ALLOWED_HOSTS\s*=\s*[\w.]+\(\s*["'](\w*HOSTS?)["']/m.exec(text) ?? [];
  if (variable !== undefined) return { build: [], env: { [variable]: '*' } };
  const [, list] = /^ALLOWED_HOSTS\s*=\s*\[([^\]]*)\]/m.exec(text) ?? [];
  const isFixed = list !== undefined && /["']/.test(list) && !/["']\*["']|\w\(/.test(list);
  if (settings === undefined || !isFixed) return { build: [], env: {} };
  const content = `from ${settings} import *\n\nALLOWED_HOSTS = ["*"]\n`;
  const label = `Allow all hosts in ${OPEN_SETTINGS}.py`;
  const write = `import sys; open("${OPEN_SETTINGS}.py", "w").write(sys.argv[1])`;
  return {
    build: [{ kind: 'build', label, argv: ['python3', '-c', write, content] }],
    env: { DJANGO_SETTINGS_MODULE: OPEN_SETTINGS },
  };
}

function settingsOf({ texts }: Checkout): string[] {
  return Object.entries(texts)
    .filter(([path]) => /(?:^|\/)settings(?:\/\w+)?\.py$/.test(path))
    .map(([, text]) => text);
}

function step(argv: Argv): BuildStep {
  return { kind: 'build', label: argv.join(' '), argv };
}
