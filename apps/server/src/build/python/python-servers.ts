import type { Argv, BuildStep } from '../build-plan.ts';
import { HOST, PORT } from '../command-line.ts';

export type PythonStart = {
  argv: Argv;
  evidence: string;
  /** Packages to install in addition to those that the project lists. */
  packages: string[];
  env?: Record<string, string>;
  build?: BuildStep[];
  /** It starts a file in which nothing listens. */
  isScript?: boolean;
};

/** Where a server finds the app object: `module:object`, and the folder that the module is imported from. */
export type Target = { folder: string | undefined; name: string };

/** Installed where a project names no server for production. */
export const GUNICORN = 'gunicorn==23.0.0';
export const UVICORN = 'uvicorn==0.35.0';
export const WAITRESS = 'waitress==3.0.2';

export function uvicorn({ folder, name }: Target, file: string): PythonStart {
  const options = [
    ...(name.endsWith('()') ? ['--factory'] : []),
    ...(folder === undefined ? [] : ['--app-dir', folder]),
    ...['--host', HOST, '--port', PORT],
  ];
  const target = name.replace(/\(\)$/, '');
  return serve(['python3', '-m', 'uvicorn', target, ...options], file, 'uvicorn');
}

export function gunicorn({ folder, name }: Target, file: string): PythonStart {
  const options = folder === undefined ? [] : ['--chdir', folder];
  // Old versions cannot be started as a module.
  const argv: Argv = ['gunicorn', '--bind', `${HOST}:${PORT}`, ...options, name];
  return serve(argv, file, 'gunicorn');
}

/** Unlike gunicorn it accepts an attribute of an object. */
export function waitress({ folder, name }: Target, file: string): PythonStart {
  const argv: Argv = ['python3', '-m', 'waitress', `--listen=${HOST}:${PORT}`, name];
  const start = serve(argv, file, 'waitress');
  return folder === undefined ? start : { ...start, env: { PYTHONPATH: folder } };
}

export function sanic({ folder, name }: Target, file: string): PythonStart {
  const argv: Argv = ['python3', '-m', 'sanic', name, '--host', HOST, '--port', PORT];
  const start = serve(argv, file, 'Sanic');
  return folder === undefined ? start : { ...start, env: { PYTHONPATH: folder } };
}

/** For a Django project whose settings cannot be found. */
export function ownServer(packages: string[]): PythonStart {
  const argv: Argv = ['python3', 'manage.py', 'runserver', '--noreload', `${HOST}:${PORT}`];
  return { ...serve(argv, 'manage.py', "Django's own server"), packages };
}

export function serve(argv: Argv, file: string, server: string): PythonStart {
  return { argv, evidence: `Found ${file}: serving it with ${server}`, packages: [] };
}
