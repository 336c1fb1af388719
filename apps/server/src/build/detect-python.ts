import type { Checkout, Finding, StartPlan } from './build-plan.ts';
import type { StartCommand } from './command-line.ts';
import { TOOLS_FOLDER } from './package-manager.ts';
import { pythonInstall } from './python-install.ts';
import { pythonStart } from './python-start.ts';

const PACKAGE_LISTS = ['requirements.txt', 'pyproject.toml', 'Pipfile'];
const ENTRY_FILES = ['main.py', 'app.py', 'manage.py'];

/** A checkout with a list of Python packages or a known entry file. */
export function detectPython(checkout: Checkout, web: StartCommand | undefined): Finding {
  const { files } = checkout;
  const found = [...PACKAGE_LISTS, ...ENTRY_FILES].find((name) => files.includes(name));
  if (found === undefined) {
    return {
      kind: 'lacks',
      sentence: `There is no ${[...PACKAGE_LISTS, ...ENTRY_FILES].join(', ')}`,
    };
  }
  const install = pythonInstall(checkout);
  const start = startOf(checkout, web);
  if (start === undefined || (web !== undefined && install === undefined && !hasEntryFile(files))) {
    const sentence = `${found} has no ${ENTRY_FILES.join(', ')} beside it, and no Procfile with a web line`;
    return { kind: 'lacks', sentence };
  }
  return {
    kind: 'plan',
    plan: {
      runtime: 'python',
      evidence: [start.evidence, install?.evidence ?? 'It lists no packages to install'],
      tools: ['python3'],
      env: { PIP_NO_INPUT: '1', PIP_DISABLE_PIP_VERSION_CHECK: '1', ...install?.env },
      path: ['.venv/bin', `${TOOLS_FOLDER}/bin`],
      steps: install?.steps ?? [],
      start: start.plan,
    },
  };
}

function startOf(
  checkout: Checkout,
  web: StartCommand | undefined,
): { plan: StartPlan; evidence: string } | undefined {
  // Otherwise output appears only when Python's buffer is full.
  const env = { PYTHONUNBUFFERED: '1' };
  if (web !== undefined) {
    const plan = { ...web, env: { ...env, ...web.env } };
    return { plan, evidence: 'Found a Procfile with a web line' };
  }
  const start = pythonStart(checkout);
  if (start === undefined) return undefined;
  return { plan: { kind: 'command', argv: start.argv, env }, evidence: start.evidence };
}

function hasEntryFile(files: string[]): boolean {
  return ENTRY_FILES.some((name) => files.includes(name));
}
