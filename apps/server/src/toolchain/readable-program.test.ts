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
import { ensureReadableProgram } from './readable-program.ts';

let folder: string;
let dataDir: string;
let tree: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-program-'));
  await chmod(folder, 0o755);
  dataDir = join(folder, 'dataDir');
  tree = join(folder, 'checkout', 'tool');
  await mkdir(join(tree, 'bin'), { recursive: true });
  await writeFile(join(tree, 'bin', 'tool'), 'run me', { mode: 0o755 });
  await symlink('tool', join(tree, 'bin', 'alias'));
});
afterEach(async () => await rm(folder, { recursive: true, force: true }));

const toolPath = () =>
  ensureReadableProgram(
    { name: 'tool', version: '1.2.3', path: tree, samples: ['bin/tool'] },
    { dataDir },
  );
const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

describe('ensureReadableProgram', () => {
  it('returns the program itself when every user can reach it', async () => {
    expect(await toolPath()).toBe(tree);
  });

  it('returns a copy with hard links when a parent folder is not accessible', async () => {
    await chmod(join(folder, 'checkout'), 0o700);
    const copy = await toolPath();
    expect(copy).toBe(join(dataDir, 'programs', 'tool-1.2.3'));
    expect((await stat(join(copy, 'bin', 'tool'))).ino).toBe(
      (await stat(join(tree, 'bin', 'tool'))).ino,
    );
    expect(await readlink(join(copy, 'bin', 'alias'))).toBe('tool');
  });

  it('makes the copy readable, not the original, when a strict umask made the files private', async () => {
    await chmod(join(tree, 'bin', 'tool'), 0o700);
    const copy = await toolPath();
    expect(await modeOf(join(copy, 'bin', 'tool'))).toBe(0o755);
    expect(await modeOf(join(tree, 'bin', 'tool'))).toBe(0o700);
  });

  it('copies only once', async () => {
    await chmod(join(folder, 'checkout'), 0o700);
    const copy = await toolPath();
    await writeFile(join(copy, 'mark'), 'still there');
    await toolPath();
    expect(await readFile(join(copy, 'mark'), 'utf8')).toBe('still there');
  });
});
