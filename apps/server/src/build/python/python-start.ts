import type { Argv, Checkout } from '../build-plan.ts';
import { HOST, PORT } from '../command-line.ts';
import { type AppObject, appObjectIn } from './app-object.ts';
import { django } from './django.ts';
import { entryFiles } from './entry-files.ts';
import { listsPackage } from './python-packages.ts';
import {
  GUNICORN,
  gunicorn,
  type PythonStart,
  sanic,
  serve,
  type Target,
  UVICORN,
  uvicorn,
  WAITRESS,
  waitress,
} from './python-servers.ts';

/** uvicorn itself, or a package that includes it. */
const WITH_UVICORN = '(?:uvicorn|fastapi\\[(?:standard|all)\\])';
const PLAIN_ENTRIES = ['main.py', 'app.py', 'server.py', 'run.py'];

/** Tools that start a file by themselves. */
const TOOLS: { name: string; package: string; entries: string[]; options: string[] }[] = [
  {
    name: 'Streamlit',
    package: 'streamlit',
    entries: ['streamlit_app.py', 'app.py', 'main.py', 'Home.py'],
    options: ['--server.headless', 'true', '--server.address', HOST, '--server.port', PORT],
  },
  {
    name: 'Chainlit',
    package: 'chainlit',
    entries: ['app.py', 'main.py'],
    options: ['--headless', '--host', HOST, '--port', PORT],
  },
  {
    name: 'Shiny',
    package: 'shiny',
    entries: ['app.py', 'main.py'],
    options: ['--host', HOST, '--port', PORT],
  },
];

/** How to start a Python project, by its files and packages. */
export function pythonStart(checkout: Checkout): PythonStart | undefined {
  const { files, texts } = checkout;
  if (files.includes('manage.py')) return django(checkout);
  const entries = entryFiles(files);
  const tool = toolStart(checkout, entries);
  if (tool !== undefined) return tool;
  const lists = (name: string) => listsPackage(checkout, name);
  for (const file of entries) {
    const app = appObjectIn(file, texts[file] ?? '', lists);
    if (app !== undefined) return serverStart(app, file, checkout);
  }
  const file =
    PLAIN_ENTRIES.find((name) => files.includes(name)) ??
    PLAIN_ENTRIES.map((name) => `src/${name}`).find((path) => SERVES.test(texts[path] ?? ''));
  if (file === undefined) return undefined;
  // Gradio reads it.
  const env: Record<string, string> = lists('gradio') ? { GRADIO_SERVER_NAME: '0.0.0.0' } : {};
  const isScript = !SERVES.test(texts[file] ?? '');
  const evidence = `Found ${file}: starting it`;
  const [folder = ''] = file.split('/', 1);
  const isImported = file.includes('/') && importsFrom(folder, texts[file] ?? '');
  return {
    argv: isImported
      ? ['python3', '-m', file.replace(/\.py$/, '').replaceAll('/', '.')]
      : ['python3', file],
    evidence,
    env,
    packages: [],
    ...(isScript ? { isScript } : {}),
  };
}

/** Calls that keep a program running and listening, of the standard library and of packages. */
const SERVES =
  /serve_forever|HTTPServer|TCPServer|\b(?:listen|launch|make_server|run\w*|serve\w*|start\w*)\(/;

function toolStart(checkout: Checkout, entries: string[]): PythonStart | undefined {
  const { files, texts } = checkout;
  for (const tool of TOOLS) {
    const isListed = listsPackage(checkout, tool.package);
    const uses = (file: string) =>
      new RegExp(`^\\s*(?:import|from) ${tool.package}\\b`, 'm').test(texts[file] ?? '') ||
      file === `${tool.package}_app.py`;
    const usual = tool.entries.find((file) => files.includes(file) && uses(file));
    const file = usual ?? (isListed ? entries.find((it) => !it.includes('/') && uses(it)) : usual);
    if (file === undefined) continue;
    const argv: Argv = ['python3', '-m', tool.package, 'run', file, ...tool.options];
    return { ...serve(argv, file, tool.name), packages: isListed ? [] : [tool.package] };
  }
  return undefined;
}

function serverStart(app: AppObject, file: string, checkout: Checkout): PythonStart {
  const target = targetOf(file, app.name, checkout);
  const framework = listsPackage(checkout, app.package) ? [] : [app.package];
  const missing = (name: string, spec: string) =>
    listsPackage(checkout, name) ? framework : [...framework, spec];
  switch (app.kind) {
    case 'asgi':
      return { ...uvicorn(target, file), packages: missing(WITH_UVICORN, UVICORN) };
    case 'wsgi':
      return { ...gunicorn(target, file), packages: missing('gunicorn', GUNICORN) };
    case 'sanic':
      return { ...sanic(target, file), packages: framework };
    case 'dash': {
      const server = { ...target, name: `${target.name}.server` };
      return { ...waitress(server, file), packages: missing('waitress', WAITRESS) };
    }
  }
}

function targetOf(file: string, object: string, checkout: Checkout): Target {
  const path = file.replace(/(?:\/__init__)?\.py$/, '');
  const [folder = ''] = path.split('/', 1);
  const isInFolder = path.includes('/') && isImportRoot(folder, file, checkout);
  const module = (isInFolder ? path.slice(folder.length + 1) : path).replaceAll('/', '.');
  return { folder: isInFolder ? folder : undefined, name: `${module}:${object}` };
}

/** Whether the modules in a folder import each other without its name. */
function isImportRoot(folder: string, file: string, { files, texts }: Checkout): boolean {
  const text = texts[file] ?? '';
  if (files.includes(`${folder}/__init__.py`) || importsFrom(folder, text)) return false;
  if (folder === 'src') return true;
  const imported = [...text.matchAll(/^\s*(?:from|import) (\w+)/gm)].map(([, name]) => name);
  return files.some((other) => imported.some((name) => isModule(other, `${folder}/${name}`)));
}

/** Whether a program imports modules by the name of a folder. */
function importsFrom(folder: string, text: string): boolean {
  return new RegExp(`^\\s*(?:from|import) ${folder}\\b`, 'm').test(text);
}

function isModule(file: string, path: string): boolean {
  return file === `${path}.py` || file.startsWith(`${path}/`);
}
