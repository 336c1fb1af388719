import {
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { reachableProgram } from './reachable-program.ts';

let folder: string;
let home: string;
let tree: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-program-'));
  await chmod(folder, 0o755);
  home = join(folder, 'home');
  tree = join(folder, 'checkout', 'tool');
  await mkdir(join(tree, 'bin'), { recursive: true });
  await writeFile(join(tree, 'bin', 'tool'), 'run me', { mode: 0o755 });
  await symlink('tool', join(tree, 'bin', 'alias'));
});
afterEach(async () => await rm(folder, { recursive: true, force: true }));

const toolPath = () =>
  reachableProgram({ name: 'tool', version: '1.2.3', path: tree, samples: ['bin/tool'] }, { home });
const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

describe('reachableProgram', () => {
  it('answers the program itself when every user can reach it', async () => {
    expect(await toolPath()).toBe(tree);
  });

  it('answers a copy that shares its files when a folder above is closed', async () => {
    await chmod(join(folder, 'checkout'), 0o700);
    const copy = await toolPath();
    expect(copy).toBe(join(home, 'programs', 'tool-1.2.3'));
    expect((await stat(join(copy, 'bin', 'tool'))).ino).toBe(
      (await stat(join(tree, 'bin', 'tool'))).ino,
    );
    expect(await readlink(join(copy, 'bin', 'alias'))).toBe('tool');
  });

  it('opens the copy, not the original, when a strict umask closed the files', async () => {
    await chmod(join(tree, 'bin', 'tool'), 0o700);
    const copy = await toolPath();
    expect(await modeOf(join(copy, 'bin', 'tool'))).toBe(0o755);
    expect(await modeOf(join(tree, 'bin', 'tool'))).toBe(0o700);
  });

  it('makes the copy only once', async () => {
    await chmod(join(folder, 'checkout'), 0o700);
    const copy = await toolPath();
    await writeFile(join(copy, 'mark'), 'kept');
    await toolPath();
    expect(await readFile(join(copy, 'mark'), 'utf8')).toBe('kept');
  });
});
