import { expect, it } from 'vitest';
import { detect } from '../detect.ts';

const NEWEST = ['npm install', 'npm install --legacy-peer-deps'];
const OF_COMMIT = [
  'npm install --before=2025-01-25',
  'npm install --legacy-peer-deps --before=2025-01-25',
  'npm install',
  'npm install --legacy-peer-deps',
];

it.each<[what: string, manifest: object, lock: string[], committedOn: string, installs: string[]]>([
  ['of the day of the commit', {}, [], '2025-01-24', OF_COMMIT],
  [
    'of the day of a commit at the end of a month',
    {},
    [],
    '2024-12-31',
    OF_COMMIT.map((it) => it.replace('2025-01-25', '2025-01-01')),
  ],
  [
    'of that day with the npm that the project names',
    { packageManager: 'npm@11.0.0' },
    [],
    '2025-01-24',
    OF_COMMIT,
  ],
  ['of today if there is no commit', {}, [], '', NEWEST],
  ['of today if its day is wrong', {}, [], '2025-13-41', NEWEST],
  [
    'of the lock file',
    {},
    ['package-lock.json'],
    '2025-01-24',
    [
      'npm ci',
      'npm install --legacy-peer-deps',
      'npm install --legacy-peer-deps --no-package-lock',
    ],
  ],
  [
    'of the lock file of pnpm',
    { packageManager: 'pnpm@10.0.0' },
    ['pnpm-lock.yaml'],
    '2025-01-24',
    [
      'pnpm install --frozen-lockfile',
      'pnpm install --no-frozen-lockfile',
      'pnpm install --no-lockfile',
    ],
  ],
  [
    'of the lock file of yarn',
    { packageManager: 'yarn@1.22.22' },
    ['yarn.lock'],
    '2025-01-24',
    [
      'yarn install --frozen-lockfile',
      'yarn install --ignore-engines',
      'yarn install --ignore-engines --no-lockfile',
    ],
  ],
  [
    'of today with package managers that know no dates',
    { packageManager: 'pnpm@10.0.0' },
    [],
    '2025-01-24',
    ['pnpm install', 'pnpm install --no-frozen-lockfile'],
  ],
])('installs packages %s', (_, manifest, lock, committedOn, installs) => {
  const plan = planOf(manifest, lock, committedOn);
  const step = plan?.steps.find(({ kind, inputs }) => kind === 'install' && inputs?.length !== 0);
  const commands = step && [step.argv, ...(step.orElse ?? [])];
  expect(commands?.map((argv) => argv.join(' '))).toEqual(installs);
});

it('says which packages are installed, and what to enter if they do not fit', () => {
  const plan = planOf({}, [], '2025-01-24');
  expect(plan?.evidence).toContain(
    'Found no lock file: installing with npm, packages of the day of the commit, 2025-01-24',
  );
  const advice = expect.stringMatching(/^There is no lock file.* install command npm install$/);
  expect(plan?.steps.map((step) => step.advice)).toEqual([advice, advice]);
});

function planOf(manifest: object, lock: string[], committedOn: string) {
  const scripts = { start: 'node a.js', build: 'tsc' };
  const text = JSON.stringify({ scripts, dependencies: { a: '1' }, ...manifest });
  const files = ['package.json', ...lock];
  const detection = detect({ files, texts: { 'package.json': text }, committedOn });
  return detection.kind === 'plan' ? detection.plan : undefined;
}
