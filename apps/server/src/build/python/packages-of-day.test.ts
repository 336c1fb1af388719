import { expect, it } from 'vitest';
import type { BuildPlan } from '../build-plan.ts';
import { detect } from '../detect.ts';
import { typedStep } from '../typed-command.ts';
import { configuresPip } from './packages-of-day.ts';
import { providePython } from './provide-python.ts';

const PROJECT = '[project]\nname = "shop"\ndependencies = ["flask"]\n';
const OF_DAY = 'uv pip install --exclude-newer 2025-04-04T00:00:00Z --only-binary :all:';
const KNOWN = 'uv pip install --exclude-newer 2023-04-30T00:00:00Z --only-binary :all:';
const FROM_LIST = '--requirement requirements.txt';
const NEWER = 'newer packages';

it.each<[what: string, files: Record<string, string>, committedOn: string, installs: string[]]>([
  [
    'of the day of the commit',
    { 'requirements.txt': 'flask' },
    '2025-04-03',
    [`${OF_DAY} ${FROM_LIST}`, `python3 -m pip install ${FROM_LIST}`],
  ],
  [
    'of the day of the commit, with what pinned ones need',
    { 'requirements.txt': 'flask==2.2.5' },
    '2025-04-03',
    [
      `${OF_DAY} ${FROM_LIST} Werkzeug<3`,
      `python3 -m pip install ${FROM_LIST} Werkzeug<3`,
      `python3 -m pip install ${FROM_LIST}`,
      NEWER,
    ],
  ],
  [
    'of the day of the commit, that a project lists',
    { 'pyproject.toml': PROJECT },
    '2025-04-03',
    [`${OF_DAY} --requirement pyproject.toml`, 'uv pip install --requirement pyproject.toml'],
  ],
  [
    'that know this Python, of an older commit',
    { 'requirements.txt': 'flask' },
    '2019-06-01',
    [`${KNOWN} ${FROM_LIST}`, `python3 -m pip install ${FROM_LIST}`],
  ],
  [
    'that know this Python, of a commit soon after it was published',
    { 'requirements.txt': 'flask' },
    '2022-11-10',
    [`${KNOWN} ${FROM_LIST}`, `python3 -m pip install ${FROM_LIST}`],
  ],
  [
    'of the checkout only',
    { 'requirements.txt': '# none\n./greeter\n' },
    '2025-04-03',
    [`python3 -m pip install ${FROM_LIST}`],
  ],
  [
    'that are the newest, of an upload',
    { 'requirements.txt': 'flask' },
    '',
    [`python3 -m pip install ${FROM_LIST}`],
  ],
  [
    'that are locked',
    { 'pyproject.toml': PROJECT, 'uv.lock': '' },
    '2025-04-03',
    [
      'uv sync --frozen --no-dev --python .venv/bin/python3',
      'uv sync --upgrade --no-dev --python .venv/bin/python3',
    ],
  ],
])('installs packages %s', (_, files, committedOn, installs) => {
  const { steps } = planOf(files, committedOn);
  const step = steps.find(({ argv }) => /--requirement|^uv sync/.test(argv.join(' ')));
  const commands = step === undefined ? [] : [step.argv, ...(step.orElse ?? [])];
  const lines = commands.map((argv) => (argv[1] === '-c' ? NEWER : argv.join(' ')));
  expect(lines).toEqual(installs);
});

it('installs uv for them, and goes on without it', () => {
  const { steps, evidence, env } = planOf({ 'requirements.txt': 'flask' }, '2025-04-03');
  expect(steps.slice(0, 2)).toMatchObject([
    { label: 'python3 -m venv .venv' },
    { label: expect.stringMatching(/^python3 -m pip install uv==/), orElse: [['true']] },
  ]);
  expect(evidence.at(-1)).toBe(
    'Installing packages from before 2025-04-04, the day after the commit: for the newest ones, enter the install command python3 -m pip install --requirement requirements.txt',
  );
  expect(env).toMatchObject({ UV_NATIVE_TLS: '1' });
});

it('says why packages are newer than the commit', () => {
  const { evidence } = planOf({ 'requirements.txt': 'flask' }, '2019-06-01');
  expect(evidence.at(-1)).toMatch(
    /^Installing packages from before 2023-04-30, when packages knew Python 3\.11/,
  );
});

it('names the command for the newest ones as it can be entered', () => {
  const { evidence } = planOf({ 'requirements.txt': 'flask==2.2.5' }, '2025-04-03');
  const [, command = ''] = /enter the install command (.*)$/.exec(evidence.at(-1) ?? '') ?? [];
  expect(typedStep('install', command).argv).toEqual(
    `python3 -m pip install ${FROM_LIST} Werkzeug<3`.split(' '),
  );
});

it.each<[who: string, files: Record<string, string>, program: string]>([
  ['pip installs', { 'requirements.txt': 'flask' }, 'python3'],
  ['uv installs as it always does', { 'pyproject.toml': PROJECT }, 'uv'],
])('%s where pip has settings that uv does not read', (_, files, program) => {
  const { steps } = planOf(files, '2025-04-03', true);
  const [install] = steps.filter(({ argv }) => argv.includes('--requirement'));
  expect(install?.argv[0]).toBe(program);
  expect(steps.some(({ argv }) => argv[0] === 'uv')).toBe(program === 'uv');
});

it.each<[isConfigured: boolean, variables: Record<string, string>, file?: string]>([
  [false, {}],
  [false, { PORT: '80', MY_PIP_INDEX_URL: 'https://pypi.example' }],
  [true, { PIP_INDEX_URL: 'https://pypi.example/simple' }],
  [true, { PIP_EXTRA_INDEX_URL: 'https://pypi.example/simple' }],
  [true, { PIP_CONFIG_FILE: 'pip.conf' }],
  [false, {}, '[global]\ncert = /etc/ssl/certs/ca-certificates.crt\ntimeout = 60\n'],
  [false, {}, '[global]\n# index-url = https://pypi.example/simple\n'],
  [true, {}, '[global]\nindex-url = https://pypi.example/simple\n'],
  [true, {}, '[install]\nextra_index_url=https://pypi.example/simple\n'],
  [true, {}, '[global]\nno-index: true\nfind-links = /srv/wheels\n'],
])(
  'finds settings of pip: %s, for variables %j and the file %j',
  (isConfigured, variables, file) => {
    expect(configuresPip(variables, file)).toBe(isConfigured);
  },
);

function planOf(
  files: Record<string, string>,
  committedOn: string,
  isPipConfigured = false,
): BuildPlan {
  const texts = { ...files, 'app.py': 'app = Flask(__name__)' };
  const detection = detect({ files: Object.keys(texts), texts, committedOn });
  if (detection.kind === 'nothing') throw new Error(detection.evidence.join('\n'));
  return providePython(detection.plan, { version: '3.11.2', arch: 'x64', isPipConfigured });
}
