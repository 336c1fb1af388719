import type { BuildStep, Checkout } from './build-plan.ts';
import { TOOLS_FOLDER } from './package-manager.ts';

export type PythonInstall = {
  evidence: string;
  steps: BuildStep[];
  env: Record<string, string>;
};

/** Pinned versions of the tools for each lock file. */
const POETRY = 'poetry==2.1.3';
const UV = 'uv==0.8.0';
const PIPENV = 'pipenv==2025.0.3';

const VENV = install(['python3', '-m', 'venv', '.venv'], []);

/** How to install the packages of a Python project into `.venv`; undefined when it lists none. Lock files take precedence. */
export function pythonInstall({ files, texts }: Checkout): PythonInstall | undefined {
  const project = texts['pyproject.toml'] ?? '';
  if (files.includes('uv.lock')) {
    const sync = install(['uv', 'sync', '--frozen', '--no-dev']);
    return { evidence: found('uv.lock', 'uv'), steps: [...toolSteps(UV), sync], env: {} };
  }
  if (files.includes('poetry.lock') || /^\[tool\.poetry\]/m.test(project)) {
    return {
      evidence: found(files.includes('poetry.lock') ? 'poetry.lock' : 'pyproject.toml', 'poetry'),
      steps: [
        ...toolSteps(POETRY),
        install(['poetry', 'install', '--only', 'main', '--no-root', '--no-interaction']),
      ],
      env: { POETRY_VIRTUALENVS_IN_PROJECT: 'true', POETRY_VIRTUALENVS_CREATE: 'true' },
    };
  }
  if (files.includes('Pipfile')) {
    const isLocked = files.includes('Pipfile.lock');
    return {
      evidence: found(isLocked ? 'Pipfile.lock' : 'Pipfile', 'pipenv'),
      steps: [
        ...toolSteps(PIPENV),
        install(isLocked ? ['pipenv', 'sync'] : ['pipenv', 'install', '--skip-lock']),
      ],
      env: { PIPENV_VENV_IN_PROJECT: '1', PIPENV_NOSPIN: '1' },
    };
  }
  if (files.includes('requirements.txt')) {
    return {
      evidence: found('requirements.txt', 'pip'),
      steps: [VENV, requirements(texts['requirements.txt'] ?? '')],
      env: {},
    };
  }
  if (!/^\[(?:project|build-system)\]/m.test(project)) return undefined;
  return {
    evidence: found('pyproject.toml', 'pip'),
    steps: [VENV, install(['python3', '-m', 'pip', 'install', '.'])],
    env: {},
  };
}

/** Lines may refer to further files: other lists, constraints, local packages. */
function requirements(text: string): BuildStep {
  const argv = ['python3', '-m', 'pip', 'install', '--requirement', 'requirements.txt'] as const;
  const refersToFiles =
    /^\s*(?:-[^-]|--(?:requirement|constraint|editable|find-links)|\.|\/)|file:|@ \./m;
  return refersToFiles.test(text) ? install(argv) : install(argv, ['requirements.txt']);
}

function toolSteps(tool: string): BuildStep[] {
  const python = `${TOOLS_FOLDER}/bin/python3`;
  return [
    install(['python3', '-m', 'venv', TOOLS_FOLDER], []),
    install([python, '-m', 'pip', 'install', tool], []),
  ];
}

function install(argv: BuildStep['argv'], inputs?: string[]): BuildStep {
  const step: BuildStep = { kind: 'install', label: argv.join(' '), argv };
  return inputs === undefined ? step : { ...step, inputs };
}

function found(file: string, tool: string): string {
  return `Found ${file}: installing with ${tool}`;
}
