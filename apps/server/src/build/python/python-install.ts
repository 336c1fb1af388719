import { type Argv, type BuildStep, type Checkout, TOOLS_FOLDER } from '../build-plan.ts';
import { dayAfterCommit } from '../day-after-commit.ts';
import { companionVersions } from './companion-versions.ts';
import { exportPipfile } from './pipfile.ts';
import { allowOtherPython } from './poetry-list.ts';
import { requirementsFile, requirementsText } from './python-packages.ts';
import { relaxedInstalls } from './relaxed-install.ts';

export type PythonInstall = {
  evidence: string;
  steps: BuildStep[];
  env: Record<string, string>;
  /** Installs packages that the project does not list. */
  add: Argv;
};

/** Pinned versions of the tools for each lock file. */
const POETRY = 'poetry==2.1.3';
const POETRY_EXPORT = 'poetry-plugin-export==1.9.0';
const UV = 'uv==0.8.0';
const PDM = 'pdm==2.25.4';

const UV_SYNC = ['--no-dev', '--python', '.venv/bin/python3'];

/** The versions of poetry and pdm above fail with later packages that they allow. */
const TOOLS_BEFORE = '2025-08-15T00:00:00Z';

/** The certificates of the system, as for pip. */
export const UV_ENV = { UV_NATIVE_TLS: '1' };

const CREATE_VENV: Argv = ['python3', '-m', 'venv', '.venv'];
const PIP_INSTALL: Argv = ['python3', '-m', 'pip', 'install'];
/** The environments of other tools have no pip of their own. */
const TOOLS_PYTHON = `${TOOLS_FOLDER}/bin/python3`;
const ADD_FROM_OUTSIDE: Argv = [
  TOOLS_PYTHON,
  '-m',
  'pip',
  '--python',
  '.venv/bin/python3',
  'install',
];

/** How to install the packages of a Python project into `.venv`; undefined when it lists none. Lock files take precedence. */
export function pythonInstall(checkout: Checkout): PythonInstall | undefined {
  const { files, texts } = checkout;
  const project = texts['pyproject.toml'] ?? '';
  const hasRequirements = requirementsFile(checkout) !== undefined;
  if (files.includes('uv.lock')) {
    return {
      evidence: found('uv.lock', 'uv'),
      // With the Python that is there, in whatever patch version it is.
      steps: [
        ...toolSteps(UV),
        VENV,
        {
          ...install(['uv', 'sync', '--frozen', ...UV_SYNC]),
          // Locked versions may be too old for the Python that is there.
          orElse: [['uv', 'sync', '--upgrade', ...UV_SYNC]],
        },
      ],
      env: UV_ENV,
      add: ['uv', 'pip', 'install'],
    };
  }
  if (files.includes('poetry.lock')) {
    // Installed with pip: poetry itself needs more of a package index than mirrors offer.
    const list = `${TOOLS_FOLDER}/requirements.txt`;
    const options = ['--only', 'main', '--without-hashes', '--output', list];
    return {
      evidence: found('poetry.lock', 'poetry'),
      steps: [
        ...datedToolSteps(POETRY, POETRY_EXPORT),
        VENV,
        install(['poetry', 'export', ...options], ['pyproject.toml', 'poetry.lock']),
        {
          kind: 'install',
          label: 'List the packages for this Python',
          argv: allowOtherPython(list),
        },
        install([...PIP_INSTALL, '--requirement', list]),
      ],
      env: UV_ENV,
      add: PIP_INSTALL,
    };
  }
  if (/^\[tool\.poetry\]/m.test(project) && !hasRequirements) {
    return {
      evidence: found('pyproject.toml', 'poetry'),
      steps: [
        ...datedToolSteps(POETRY),
        install(['poetry', 'install', '--only', 'main', '--no-root', '--no-interaction']),
      ],
      env: { ...UV_ENV, POETRY_VIRTUALENVS_IN_PROJECT: 'true', POETRY_VIRTUALENVS_CREATE: 'true' },
      add: ADD_FROM_OUTSIDE,
    };
  }
  if (files.includes('pdm.lock')) {
    return {
      evidence: found('pdm.lock', 'pdm'),
      steps: [...datedToolSteps(PDM), install(['pdm', 'sync', '--prod', '--no-self'])],
      env: { ...UV_ENV, PDM_CHECK_UPDATE: '0' },
      add: ADD_FROM_OUTSIDE,
    };
  }
  if (files.includes('Pipfile')) return ofPipfile(files.includes('Pipfile.lock'));
  if (/^\[project\]/m.test(project) && !/^\[build-system\]/m.test(project) && !hasRequirements) {
    // Not a package that can be installed as a whole.
    const argv: Argv = ['uv', 'pip', 'install', '--requirement', 'pyproject.toml'];
    return {
      evidence: found('pyproject.toml', 'uv'),
      steps: [
        ...toolSteps(UV),
        VENV,
        { ...install(argv, ['pyproject.toml']), ...ofCommit(checkout) },
      ],
      env: UV_ENV,
      add: ['uv', 'pip', 'install'],
    };
  }
  const packages = pipStep(checkout);
  if (packages === undefined) return undefined;
  const added = companionVersions(requirementsText(checkout, packages.file)).join(', ');
  const evidence = found(packages.file, 'pip');
  return {
    ...WITHOUT_LIST,
    evidence: added === '' ? evidence : `${evidence}, with ${added} for its pinned packages`,
    steps: [VENV, packages.step],
  };
}

const VENV = install(CREATE_VENV, []);
const TOOLS_VENV = install(['python3', '-m', 'venv', TOOLS_FOLDER], []);
/** Into the environment of the app, which costs less than one of its own. */
export const INSTALL_UV = install([...PIP_INSTALL, UV], []);

function ofPipfile(isLocked: boolean): PythonInstall {
  const loose = `${TOOLS_FOLDER}/pipfile.txt`;
  const locked = `${TOOLS_FOLDER}/pipfile-lock.txt`;
  const listed = (file: string): Argv => [...PIP_INSTALL, '--requirement', file];
  const packages: BuildStep = isLocked
    ? { ...install(listed(locked)), orElse: [listed(loose)] }
    : install(listed(loose));
  const argv = exportPipfile({ locked, loose });
  return {
    evidence: found(isLocked ? 'Pipfile.lock' : 'Pipfile', 'pip'),
    steps: [VENV, { kind: 'install', label: 'List the packages of the Pipfile', argv }, packages],
    env: {},
    add: PIP_INSTALL,
  };
}

/** For packages that no list of the project names. */
export const WITHOUT_LIST: PythonInstall = {
  evidence: 'It lists no packages to install',
  steps: [VENV],
  env: {},
  add: PIP_INSTALL,
};

function pipStep(checkout: Checkout): { file: string; step: BuildStep } | undefined {
  const { files, texts } = checkout;
  const file = requirementsFile(checkout);
  if (file !== undefined) {
    const text = texts[file] ?? '';
    const step = requirements(file, text, requirementsText(checkout, file));
    return { file, step: NAMES_PACKAGES.test(text) ? { ...step, ...ofCommit(checkout) } : step };
  }
  const isPackage = /^\[build-system\]/m.test(texts['pyproject.toml'] ?? '');
  if (!isPackage && !files.includes('setup.py')) return undefined;
  return {
    file: isPackage ? 'pyproject.toml' : 'setup.py',
    step: install([...PIP_INSTALL, '.']),
  };
}

/** Packages of an index, or another list; not only those of the checkout. */
const NAMES_PACKAGES = /^\s*(?:[A-Za-z]|-r\b|--requirement\b)/m;

/** Lines may refer to further files: other lists, constraints, local packages. */
function requirements(file: string, text: string, whole: string): BuildStep {
  const listed: Argv = [...PIP_INSTALL, '--requirement', file];
  const argv: Argv = [...listed, ...companionVersions(whole)];
  const refersToFiles =
    /^\s*(?:-[^-]|--(?:requirement|constraint|editable|find-links)|\.|\/)|file:|@ \./m;
  const isAlone = !refersToFiles.test(text) && !file.includes('/');
  const step = isAlone ? install(argv, [file]) : install(argv);
  const orElse: Argv[] = [
    ...(argv.length === listed.length ? [] : [listed]),
    ...relaxedInstalls(file, whole),
  ];
  return orElse.length === 0 ? step : { ...step, orElse };
}

/** Nothing locks the versions of these packages. */
function ofCommit(checkout: Checkout): Pick<BuildStep, 'packagesBefore'> {
  const day = dayAfterCommit(checkout);
  return day === undefined ? {} : { packagesBefore: day };
}

function toolSteps(...packages: string[]): BuildStep[] {
  return [TOOLS_VENV, install([TOOLS_PYTHON, '-m', 'pip', 'install', ...packages], [])];
}

/** Tools that use packages of others. Without uv, or an index with dates, they get the newest ones. */
function datedToolSteps(...packages: string[]): BuildStep[] {
  const uv = [`${TOOLS_FOLDER}/bin/uv`, 'pip', 'install', '--python', TOOLS_PYTHON] as const;
  const options = ['--exclude-newer', TOOLS_BEFORE, '--only-binary', ':all:'];
  const pip: Argv = [TOOLS_PYTHON, '-m', 'pip', 'install'];
  return [
    TOOLS_VENV,
    { ...install([...pip, UV], []), orElse: [['true']] },
    { ...install([...uv, ...options, ...packages], []), orElse: [[...pip, ...packages]] },
  ];
}

export function install(argv: Argv, inputs?: string[]): BuildStep {
  const step: BuildStep = { kind: 'install', label: argv.join(' '), argv };
  return inputs === undefined ? step : { ...step, inputs };
}

function found(file: string, tool: string): string {
  return `Found ${file}: installing with ${tool}`;
}
