import { chmod, mkdir, mkdtemp, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { reachableHome } from './reachable-home.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-home-'));
  await chmod(folder, 0o755);
});
afterEach(async () => await rm(folder, { recursive: true, force: true }));

async function homeOf(dataDir: string, isRoot: boolean) {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const home = await reachableHome({ dataDir, isRoot, print, shelter: join(folder, 'shelter') });
  return { home, lines, mode: (await stat(home)).mode & 0o777 };
}

describe('reachableHome', () => {
  it('keeps the data directory of an ordinary user, private', async () => {
    const dataDir = join(folder, 'data');
    expect(await homeOf(dataDir, false)).toEqual({ home: dataDir, lines: [], mode: 0o700 });
  });

  it('keeps the data directory of root where everyone can pass', async () => {
    const dataDir = join(folder, 'data');
    expect(await homeOf(dataDir, true)).toEqual({ home: dataDir, lines: [], mode: 0o711 });
  });

  it('moves below the shelter when a folder above is closed, and says so each time', async () => {
    const closed = join(folder, 'closed');
    await mkdir(closed, { mode: 0o700 });
    const dataDir = join(closed, 'data');
    const first = await homeOf(dataDir, true);
    const second = await homeOf(dataDir, true);

    expect(first.home).toMatch(new RegExp(`^${folder}/shelter/[0-9a-f]{12}$`));
    expect(first.mode).toBe(0o711);
    expect(first.lines).toEqual([expect.stringContaining(closed)]);
    expect(second).toEqual(first);
    expect(await readlink(join(dataDir, 'home'))).toBe(first.home);
  });

  it('keeps the data directory of root where it is lived in, rather than start an empty one', async () => {
    const closed = join(folder, 'closed');
    const dataDir = join(closed, 'data');
    await mkdir(join(dataDir, 'postgres'), { recursive: true });
    await chmod(closed, 0o700);
    await expect(homeOf(dataDir, true)).rejects.toThrow(/^LONGSHORE_DATA_DIR lies below /);
  });

  it('names the variable when the data directory cannot be made', async () => {
    await writeFile(join(folder, 'file'), '');
    const dataDir = join(folder, 'file', 'data');
    await expect(homeOf(dataDir, true)).rejects.toThrow(
      `LONGSHORE_DATA_DIR ${dataDir} cannot be used (ENOTDIR).`,
    );
  });
});
