import type { Argv, Checkout } from './build-plan.ts';
import { HOST, PORT } from './command-line.ts';

export type PythonStart = { argv: Argv; evidence: string };

/** Known entry files, in order of precedence. */
const ENTRY_FILES = ['main.py', 'app.py'];
const ASGI = 'FastAPI|Starlette|Quart|Litestar';
const WSGI = 'Flask|Bottle';

/** How to start a Python project, by its files and packages. */
export function pythonStart(checkout: Checkout): PythonStart | undefined {
  const { files, texts } = checkout;
  if (files.includes('manage.py')) return django(checkout);
  const file = ENTRY_FILES.find((name) => files.includes(name));
  if (file === undefined) return undefined;
  const module = file.replace(/\.py$/, '');
  const text = texts[file] ?? '';
  const asgi = objectOf(text, ASGI);
  const wsgi = objectOf(text, WSGI);
  if (
    asgi !== undefined &&
    (listsPackage(checkout, 'uvicorn') || /fastapi\[(?:standard|all)/.test(packageLists(checkout)))
  ) {
    return serve(uvicorn(`${module}:${asgi}`), file, 'uvicorn');
  }
  if (wsgi !== undefined && listsPackage(checkout, 'gunicorn')) {
    return serve(gunicorn(`${module}:${wsgi}`), file, 'gunicorn');
  }
  if (wsgi !== undefined && listsPackage(checkout, 'flask')) {
    const address = ['--host', HOST, '--port', PORT];
    const argv: Argv = ['python3', '-m', 'flask', '--app', `${module}:${wsgi}`, 'run', ...address];
    return serve(argv, file, "Flask's own server");
  }
  return { argv: ['python3', file], evidence: `Found ${file}: starting it` };
}

function django(checkout: Checkout): PythonStart {
  const settings = /DJANGO_SETTINGS_MODULE["']\s*,\s*["']([\w.]+)\.settings\b/;
  const [, project] = settings.exec(checkout.texts['manage.py'] ?? '') ?? [];
  if (project !== undefined && listsPackage(checkout, 'gunicorn')) {
    return serve(gunicorn(`${project}.wsgi`), 'manage.py', 'gunicorn');
  }
  if (project !== undefined && listsPackage(checkout, 'uvicorn')) {
    return serve(uvicorn(`${project}.asgi:application`), 'manage.py', 'uvicorn');
  }
  const argv: Argv = ['python3', 'manage.py', 'runserver', '--noreload', `${HOST}:${PORT}`];
  return serve(argv, 'manage.py', "Django's own server");
}

function serve(argv: Argv, file: string, server: string): PythonStart {
  return { argv, evidence: `Found ${file}: serving it with ${server}` };
}

function uvicorn(target: string): Argv {
  return ['python3', '-m', 'uvicorn', target, '--host', HOST, '--port', PORT];
}

function gunicorn(target: string): Argv {
  return ['python3', '-m', 'gunicorn', '--bind', `${HOST}:${PORT}`, target];
}

/** The variable that holds the app object in a file. */
function objectOf(text: string, classes: string): string | undefined {
  return new RegExp(`^(\\w+)\\s*(?::[^=\\n]+)?=\\s*(?:\\w+\\.)*(?:${classes})\\(`, 'm').exec(
    text,
  )?.[1];
}

/** Whether a package is listed: at the start of a line or of a quoted string, which covers all three formats. */
function listsPackage(checkout: Checkout, name: string): boolean {
  return new RegExp(`(?:^|["'])\\s*${name}\\s*(?:[\\[<>=!~;@,"'#]|$)`, 'im').test(
    packageLists(checkout),
  );
}

function packageLists({ texts }: Checkout): string {
  return ['requirements.txt', 'pyproject.toml', 'Pipfile']
    .map((name) => texts[name] ?? '')
    .join('\n');
}
