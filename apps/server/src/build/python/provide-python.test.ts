import { expect, it } from 'vitest';
import type { BuildPlan } from '../build-plan.ts';
import { detect } from '../detect.ts';
import { providePython } from './provide-python.ts';

const MACHINE = { version: '3.11.2', arch: 'x64', isPipConfigured: false };

it.each([
  ['3.11', undefined],
  ['>=3.9 <4', undefined],
  ['>=3.12', '3.12'],
  ['>=3.8 <3.11', '3.10'],
  ['^3.13', '3.13'],
  ['3.6', '3.6'],
])('installs for %j, beside Python 3.11, Python %s', (range, version) => {
  const { steps } = providePython(planOf(range), MACHINE);
  const [installed] = steps.flatMap(({ argv }) => /--python (\S+)/.exec(argv.join(' '))?.[1] ?? []);
  expect(installed).toBe(version);
});

it.each([
  ['3.12', 'x64', '3.13.5-1.5.12/cpython-3.13.5-1.5.12-linux-x86_64.jar'],
  ['3.12', 'arm64', '3.14.3-1.5.13/cpython-3.14.3-1.5.13-linux-arm64.jar'],
  ['3.14', 'x64', '3.14.3-1.5.13/cpython-3.14.3-1.5.13-linux-x86_64.jar'],
  ['3.14', 'riscv64', undefined],
  ['3.15', 'x64', undefined],
  ['3.10', 'x64', undefined],
])('replaces Python %s for %s, which uv cannot download, by %s', (range, arch, path) => {
  const { steps } = providePython(planOf(range), { ...MACHINE, arch });
  const orElse: readonly string[] = steps[2]?.orElse?.[0] ?? [];
  const url = `https://repo.maven.apache.org/maven2/org/bytedeco/cpython/${path}`;
  expect(orElse.includes(url)).toBe(path !== undefined);
  if (path === undefined) expect(orElse).toEqual(['python3', '-m', 'venv', '.longshore/python']);
  else expect(orElse[4]).toMatch(/^[0-9a-f]{64}$/);
});

it('uses the Python of the machine when no version fits', () => {
  const plan = planOf('2.7');
  const advice =
    'The project asks for Python 2.7, which cannot be installed. Update its packages for Python 3.11, and enter 3.11 as Python version in the settings';
  expect(providePython(plan, MACHINE)).toEqual({
    ...plan,
    evidence: [...plan.evidence, 'No Python fits 2.7: using Python 3.11.2 of this machine'],
    steps: plan.steps.map((step) => ({ ...step, advice })),
  });
});

it('makes the installed Python the first one for all steps', () => {
  const plan = providePython(planOf('3.13'), MACHINE);
  expect(plan.path.at(-1)).toBe('.longshore/python/bin');
  expect(plan.evidence.at(-1)).toBe('Python 3.13 is installed, because 3.11.2 does not fit 3.13');
  expect(plan.steps.at(-1)?.advice).toMatch(/^The project asks for Python 3\.13\. If it could not/);
});

it('names the certificates of the machine', () => {
  const machine = { ...MACHINE, certificates: '/etc/certificates.pem' };
  const { env } = providePython(planOf('3.11'), machine);
  expect(env).toMatchObject({ REQUESTS_CA_BUNDLE: '/etc/certificates.pem' });
});

function planOf(python: string): BuildPlan {
  const texts = { 'requirements.txt': 'flask', 'app.py': 'app = Flask(__name__)' };
  const detection = detect({ files: Object.keys(texts), texts });
  if (detection.kind === 'nothing') throw new Error(detection.evidence.join('\n'));
  return { ...detection.plan, versions: { python } };
}
