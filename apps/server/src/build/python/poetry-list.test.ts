import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { run } from '../../processes/run.ts';
import { allowOtherPython } from './poetry-list.ts';

const INDEX = '--extra-index-url https://pypi.example.com/simple\n';
/** Where Debian keeps the pip that each environment gets. */
const WHEELS = '/usr/share/python-wheels';
const WINDOWS = 'colorama==0.4.6 ; platform_system == "Windows"';

it.each<[what: string, list: string, expected: string]>([
  [
    'installs the packages of a project for another Python',
    `${INDEX}flask==3.0.0 ; python_version == "2.7"\n${WINDOWS} and python_full_version < "3.0.0"\n`,
    `${INDEX}flask==3.0.0 ; python_version >= "3"\n${WINDOWS} and python_version >= "3"\n`,
  ],
  [
    'leaves out what this Python does not need',
    'flask==3.0.0 ; python_version >= "3.6"\ndataclasses==0.8 ; python_version < "3.0"\n',
    'flask==3.0.0 ; python_version >= "3.6"\ndataclasses==0.8 ; python_version < "3.0"\n',
  ],
  ['keeps an empty list', '\n', '\n'],
])('%s', async (_, list, expected) => {
  const folder = await mkdtemp(join(tmpdir(), 'longshore-poetry-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'list.txt'), list);
  const argv = allowOtherPython('list.txt');
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', PYTHONPATH: await pipOfVenv() };
  const options = { timeoutMs: 60_000, signal: new AbortController().signal };
  const end = await run({ argv, cwd: folder, env, identity: undefined }, options);
  expect(end).toMatchObject({ kind: 'exited', code: 0 });
  expect(await readFile(join(folder, 'list.txt'), 'utf8')).toBe(expected);
});

async function pipOfVenv(): Promise<string> {
  const name = (await readdir(WHEELS)).find((it) => it.startsWith('pip-'));
  return join(WHEELS, name ?? '');
}
