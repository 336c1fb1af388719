import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { run } from '../../processes/run.ts';
import type { Argv } from '../build-plan.ts';
import { detect } from '../detect.ts';

it.each([
  ['flask', []],
  ['flask>=2,==2.*\nblack ; python_version == "3.9"', []],
  ['flask\npsycopg2', ['psycopg2-binary']],
  ['flask==3.0.0', ['newer']],
  ['psycopg2==2.8.6', ['psycopg2-binary', 'newer']],
  ['uvicorn[standard]==0.30.0', ['newer']],
  ['flask==3.0.0 \\\n    --hash=sha256:00', []],
])('has other installs for %j: %s', (list, expected) => {
  expect(otherInstalls(list).map(([, , script = '']) => kindOf(script))).toEqual(expected);
});

const LIST = `
--index-url https://pypi.org/simple
Django==4.0.3
psycopg2-binary==2.9.3  # Postgres
backports.zoneinfo==0.2.1;python_version<"3.9"
uvicorn[standard]==0.30.0 \\
    ; python_version>="3.8"
torch==2.0.1+cpu
mkdocs==1.*
requests>=2
psycopg2==2.8.6
`;

it('installs newer packages of the same major version', async () => {
  const { installed, lists } = await install(LIST, { failures: 0 });
  expect(installed.every((line) => line.startsWith('install --prefer-binary'))).toBe(true);
  expect(lists).toEqual([
    [
      '--index-url https://pypi.org/simple',
      'Django>=4.0.3,<5',
      'psycopg2-binary>=2.9.3,<3  # Postgres',
      'backports.zoneinfo>=0.2.1,<1;python_version<"3.9"',
      expect.stringMatching(/^uvicorn\[standard\]>=0\.30\.0,<1\s+; python_version>="3\.8"$/),
      'torch>=2.0.1,<3',
      'mkdocs==1.*',
      'requests>=2',
      'psycopg2-binary>=2.8.6,<3',
    ],
  ]);
});

it('installs newer packages of the lists that a list includes', async () => {
  const included = {
    'requirements/heroku.txt': '-r common.txt\npsycopg2==2.7.3\n',
    'requirements/common.txt': 'Flask==0.12.2\n',
  };
  const { installed, lists } = await install('-r requirements/heroku.txt', {
    failures: 0,
    included,
  });
  expect(lists).toEqual([['Flask>=0.12.2,<1', '', 'psycopg2-binary>=2.7.3,<3']]);
  expect(installed).toEqual([expect.stringContaining(' Jinja2<3.1 ')]);
});

it('keeps what the packages need to fit each other', async () => {
  const { installed } = await install('flask==1.1.2', { failures: 0 });
  expect(installed).toEqual([expect.stringContaining(' Jinja2<3.1 ')]);
});

it('fails if nothing can be installed', async () => {
  expect(await install('flask==3.0.0', { failures: 1 })).toMatchObject({ code: 1 });
});

function otherInstalls(list: string, included: Record<string, string> = {}): Argv[] {
  const texts = { 'requirements.txt': list, 'main.py': '', ...included };
  const detection = detect({ files: Object.keys(texts), texts });
  const steps = detection.kind === 'plan' ? detection.plan.steps : [];
  return steps.flatMap(({ orElse = [] }) => orElse).filter(([, option]) => option === '-c');
}

function kindOf(script: string): string {
  return script.includes('newer(') ? 'newer' : 'psycopg2-binary';
}

/** Runs the last of the other installs with a pip that only records what it gets, and fails so often. */
async function install(
  list: string,
  { failures, included = {} }: { failures: number; included?: Record<string, string> },
) {
  const folder = await mkdtemp(join(tmpdir(), 'longshore-requirements-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'modules/pip'), { recursive: true });
  await writeFile(join(folder, 'modules/pip/__init__.py'), '');
  await writeFile(join(folder, 'modules/pip/__main__.py'), FAKE_PIP);
  await writeFile(join(folder, 'requirements.txt'), list);
  await mkdir(join(folder, 'requirements'));
  for (const [name, text] of Object.entries(included)) await writeFile(join(folder, name), text);
  const argv = otherInstalls(list, included).at(-1) ?? ['false'];
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    PYTHONPATH: join(folder, 'modules'),
    FAILURES: String(failures),
  };
  const options = { timeoutMs: 60_000, signal: new AbortController().signal };
  const end = await run({ argv, cwd: folder, env, identity: undefined }, options);
  const calls = (await readFile(join(folder, 'calls'), 'utf8')).trim().split('\n');
  const lists = (await readFile(join(folder, 'lists'), 'utf8')).split('--end\n').slice(0, -1);
  return {
    code: end.kind === 'exited' ? end.code : undefined,
    installed: calls,
    lists: lists.map((text) =>
      text
        .trim()
        .split('\n')
        .map((line) => line.trimEnd()),
    ),
  };
}

const FAKE_PIP = `
import os, sys
with open('calls', 'a') as file:
    file.write(' '.join(sys.argv[1:]) + '\\n')
with open('longshore-requirements.txt') as source, open('lists', 'a') as file:
    file.write(source.read() + '--end\\n')
with open('calls') as file:
    sys.exit(len(file.readlines()) <= int(os.environ['FAILURES']))
`;
