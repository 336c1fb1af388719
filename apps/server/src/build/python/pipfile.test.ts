import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { run } from '../../processes/run.ts';
import { exportPipfile } from './pipfile.ts';

const PIPFILE = `
[[source]]
url = "https://pypi.org/simple"
name = "pypi"
[[source]]
url = "https://pypi.example.com/simple"
name = "own"
[packages]
flask = "*"
gunicorn = ">=20"
uvicorn = {extras = ["standard"], version = "~=0.30"}
colorama = {version = "*", sys_platform = "== 'win32'"}
shop = {git = "https://example.com/shop.git", ref = "v1"}
billing = {version = "==1.0", index = "own"}
psycopg2 = "*"
[dev-packages]
pytest = "*"
`;
const LOCK = {
  // Without a name, which newer versions of pipenv require.
  _meta: { sources: [{ url: 'https://pypi.org/simple' }] },
  default: {
    flask: { version: '==3.0.0', markers: "python_version >= '3.8'", hashes: ['sha256:00'] },
    shop: { path: '.', editable: true },
  },
};

const LOOSE = [
  '--extra-index-url https://pypi.example.com/simple',
  'flask',
  'gunicorn>=20',
  'uvicorn[standard]~=0.30',
  "colorama ; (sys_platform == 'win32')",
  'shop @ git+https://example.com/shop.git@v1',
  'billing==1.0',
  'psycopg2-binary',
];

it('lists the packages of a Pipfile and of its lock file', async () => {
  expect(await listsOf(LOCK)).toEqual({
    locked: ["flask==3.0.0 ; (python_version >= '3.8')", '--editable .'],
    loose: LOOSE,
  });
});

it('lists what the Pipfile allows if the lock file is for a Python whose packages no current one can run', async () => {
  const requires = { python_version: '3.7' };
  const lists = await listsOf({ ...LOCK, _meta: { ...LOCK._meta, requires } });
  expect(lists).toEqual({ locked: LOOSE, loose: LOOSE });
});

async function listsOf(lock: object): Promise<{ locked: string[]; loose: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'longshore-pipfile-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'Pipfile'), PIPFILE);
  await writeFile(join(folder, 'Pipfile.lock'), JSON.stringify(lock));
  const argv = exportPipfile({ locked: 'lists/locked.txt', loose: 'lists/loose.txt' });
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };
  const options = { timeoutMs: 60_000, signal: new AbortController().signal };
  const end = await run({ argv, cwd: folder, env, identity: undefined }, options);
  expect(end).toMatchObject({ kind: 'exited', code: 0 });
  const lines = async (name: string) =>
    (await readFile(join(folder, 'lists', name), 'utf8')).trim().split('\n');
  return { locked: await lines('locked.txt'), loose: await lines('loose.txt') };
}
