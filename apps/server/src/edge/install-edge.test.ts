import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { installEdge, removeOldPrograms } from './install-edge.ts';

const isRoot = process.getuid?.() === 0;
const identity = isRoot ? { uid: 1_899_999_999, gid: 1_899_999_999 } : undefined;

function temporaryInstallation() {
  const root = mkdtempSync(join(tmpdir(), 'longshore-install-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const [dataDir, dist, nodePath] = ['data', 'dist', 'node'].map((name) => join(root, name));
  for (const folder of [dataDir, dist]) mkdirSync(folder ?? '');
  writeFileSync(nodePath ?? '', 'node', { mode: 0o700 });
  const build = (name: string) => {
    writeFileSync(join(dist ?? '', 'build'), name);
    writeFileSync(join(dist ?? '', 'keeper.mjs'), `keeper ${name}`, { mode: 0o600 });
  };
  build('one');
  const options = {
    dataDir: dataDir ?? '',
    keysFolder: join(root, 'keys'),
    dist: dist ?? '',
    nodePath: nodePath ?? '',
    identity,
  };
  return { options, build, root };
}

it('installs programs that the edge can read, and keeps its secret', async () => {
  const { options } = temporaryInstallation();
  const first = await installEdge(options);
  expect(readFileSync(join(first.program, 'keeper.mjs'), 'utf8')).toBe('keeper one');
  expect(statSync(join(first.program, 'keeper.mjs')).mode & 0o777).toBe(0o644);
  expect(statSync(first.node).ino).toBe(statSync(options.nodePath).ino);
  expect(statSync(first.folder).mode & 0o777).toBe(0o700);
  const secretFile = join(first.folder, 'secret');
  expect(readFileSync(secretFile, 'utf8')).toBe(first.secret);
  expect(statSync(secretFile).mode & 0o777).toBe(0o400);
  expect((await installEdge(options)).secret).toBe(first.secret);
});

it('installs a new build beside the running one, and removes that afterwards', async () => {
  const { options, build } = temporaryInstallation();
  const first = await installEdge(options);
  build('two');
  const second = await installEdge(options);
  expect(existsSync(first.program)).toBe(true);
  expect(readFileSync(join(second.program, 'keeper.mjs'), 'utf8')).toBe('keeper two');
  await removeOldPrograms(second);
  expect(readdirSync(join(second.program, '..')).toSorted()).toEqual(
    [`node-${process.version}`, 'two'].toSorted(),
  );
});

it('replaces a link that the user of the edge put in place of the secret', async () => {
  const { options, root } = temporaryInstallation();
  const { folder, secret } = await installEdge(options);
  const other = join(root, 'other');
  writeFileSync(other, 'other');
  rmSync(join(folder, 'secret'));
  symlinkSync(other, join(folder, 'secret'));
  await installEdge(options);
  expect(readFileSync(other, 'utf8')).toBe('other');
  expect(readFileSync(join(folder, 'secret'), 'utf8')).toBe(secret);
});

it.runIf(isRoot)('gives the folder to the edge, and the programs to root', async () => {
  const { options } = temporaryInstallation();
  const { folder, program } = await installEdge(options);
  expect(statSync(folder).uid).toBe(identity?.uid);
  expect(statSync(join(folder, 'secret')).uid).toBe(identity?.uid);
  for (const path of [program, join(program, '..'), join(program, 'keeper.mjs')])
    expect(statSync(path).uid).toBe(0);
});

it('names the missing build', async () => {
  const { options } = temporaryInstallation();
  rmSync(join(options.dist, 'build'));
  await expect(installEdge(options)).rejects.toThrow('The edge is not built.');
});
