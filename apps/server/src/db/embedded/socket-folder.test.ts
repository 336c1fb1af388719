import { chmod, mkdir, mkdtemp, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chooseSocketFolder, createSocketFolder } from './socket-folder.ts';

describe('chooseSocketFolder', () => {
  const longest = `/${'x'.repeat(88)}`;
  it.each([
    ['a short path', '/data/postgres', true, /^\/data\/postgres\/run$/],
    ['the longest path that fits', longest, true, /run$/],
    ['one byte more, as root', `${longest}x`, true, /^\/run\/longshore-[0-9a-f]{12}$/],
    ['one byte more, as a user', `${longest}x`, false, /^\/tmp\/longshore-[0-9a-f]{12}$/],
    ['bytes, not letters', `/${'ü'.repeat(50)}`, true, /^\/run\/longshore-/],
  ])('fits %s', (_, folder, isRoot, expected) => {
    expect(chooseSocketFolder(folder, isRoot)).toMatch(expected);
  });
});

describe('createSocketFolder', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'longshore-socket-'));
  });
  afterEach(async () => await rm(folder, { recursive: true, force: true }));

  it('creates a folder that is closed to other users', async () => {
    const path = join(folder, 'run');
    await mkdir(path);
    await chmod(path, 0o777);
    await createSocketFolder(path, await stat(folder));
    expect((await stat(path)).mode & 0o777).toBe(0o700);
  });

  it('refuses a symbolic link in its place', async () => {
    const path = join(folder, 'run');
    await symlink(folder, path);
    await expect(createSocketFolder(path, await stat(folder))).rejects.toThrow(
      /not a folder of its user/,
    );
  });

  it('refuses a folder of another user', async () => {
    const path = join(folder, 'run');
    await mkdir(path);
    const other = { uid: (await stat(path)).uid + 1, gid: 1 };
    await expect(createSocketFolder(path, other)).rejects.toThrow(/not a folder of its user/);
  });
});
