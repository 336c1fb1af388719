import {
  type BuildStep,
  type Checkout,
  type Finding,
  type StartPlan,
  TOOLS_FOLDER,
  type WebCommand,
} from '../build-plan.ts';
import { django } from './django.ts';
import {
  install as installStep,
  type PythonInstall,
  pythonInstall,
  WITHOUT_LIST,
} from './python-install.ts';
import { listsPackage } from './python-packages.ts';
import type { PythonStart } from './python-servers.ts';
import { pythonStart } from './python-start.ts';
import { wantedPython } from './python-version.ts';

const PACKAGE_LISTS = ['requirements.txt', 'pyproject.toml', 'Pipfile', 'setup.py'];
const ENTRY_FILES = ['main.py', 'app.py', 'manage.py'];
/** Packages of the servers that a command may start without listing them. */
const SERVERS: Record<string, string> = {
  gunicorn: 'gunicorn',
  uvicorn: 'uvicorn',
  hypercorn: 'hypercorn',
  daphne: 'daphne',
  'waitress-serve': 'waitress',
  streamlit: 'streamlit',
};

/** A checkout with a list of Python packages, or a Python program. */
export function detectPython(checkout: Checkout, web: WebCommand | undefined): Finding {
  const { files } = checkout;
  const list = pythonInstall(checkout);
  const detected = web === undefined ? pythonStart(checkout) : undefined;
  // Static files, tables and settings are prepared for any server.
  const prepared = files.includes('manage.py') ? django(checkout) : detected;
  const found = [...PACKAGE_LISTS, ...ENTRY_FILES].find((name) => files.includes(name));
  if (list === undefined && found === undefined && detected === undefined) {
    return {
      kind: 'lacks',
      sentence: `There is no ${[...PACKAGE_LISTS, ...ENTRY_FILES].join(', ')}`,
    };
  }
  const start = startOf(detected, web, prepared?.env);
  if (start === undefined || (web !== undefined && list === undefined && !hasEntryFile(files))) {
    return { kind: 'lacks', sentence: lackOfStart(found ?? 'requirements') };
  }
  const packages = detected?.packages ?? missingServers(web, checkout);
  const install = list ?? (packages.length === 0 ? undefined : WITHOUT_LIST);
  const python = wantedPython(checkout);
  return {
    kind: 'plan',
    plan: {
      runtime: 'python',
      evidence: [start.evidence, install?.evidence ?? WITHOUT_LIST.evidence],
      tools: ['python3'],
      ...(python === undefined ? {} : { versions: { python: python.range } }),
      env: { PIP_NO_INPUT: '1', PIP_DISABLE_PIP_VERSION_CHECK: '1', ...install?.env },
      path: ['.venv/bin', `${TOOLS_FOLDER}/bin`],
      steps: [...installSteps(install, packages), ...(prepared?.build ?? [])],
      start: start.plan,
    },
  };
}

function installSteps(install: PythonInstall | undefined, packages: string[]): BuildStep[] {
  if (install === undefined) return [];
  const added = packages.length === 0 ? [] : [installStep([...install.add, ...packages])];
  return [...install.steps, ...added];
}

function startOf(
  detected: PythonStart | undefined,
  web: WebCommand | undefined,
  prepared: Record<string, string> = {},
): { plan: StartPlan; evidence: string } | undefined {
  // Otherwise output appears only when Python's buffer is full.
  const env = { PYTHONUNBUFFERED: '1', ...prepared };
  if (web !== undefined) {
    const plan = { ...web.command, env: { ...env, ...web.command.env } };
    return { plan, evidence: `Found ${web.from}` };
  }
  if (detected === undefined) return undefined;
  const plan: StartPlan = { kind: 'command', argv: detected.argv, env };
  return { plan, evidence: detected.evidence };
}

/** The server that a command names, if the project does not list it. */
function missingServers(web: WebCommand | undefined, checkout: Checkout): string[] {
  const [program = '', option, module = ''] = web?.command.argv ?? [];
  const name = /^python3?$/.test(program) && option === '-m' ? module : program;
  const server = SERVERS[name];
  return server === undefined || listsPackage(checkout, server) ? [] : [server];
}

function lackOfStart(found: string): string {
  return `${found} has no ${ENTRY_FILES.join(', ')} beside it, no Python file with a web app such as Flask or FastAPI, and no Procfile with a web line: enter a start command such as gunicorn shop:app`;
}

function hasEntryFile(files: string[]): boolean {
  return ENTRY_FILES.some((name) => files.includes(name));
}
