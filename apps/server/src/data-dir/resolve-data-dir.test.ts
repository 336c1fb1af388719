import { chmod, mkdir, mkdtemp, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolveDataDir } from './resolve-data-dir.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-data-dir-'));
  await chmod(folder, 0o755);
});
afterEach(async () => await rm(folder, { recursive: true, force: true }));

async function resolve(configuredDir: string, isRoot: boolean) {
  const lines: string[] = [];
  const path = await resolveDataDir({
    configuredDir,
    isRoot,
    print: (line) => void lines.push(line),
    fallbackRoot: join(folder, 'fallback'),
  });
  return { path, lines, mode: (await stat(path)).mode & 0o777 };
}

describe('resolveDataDir', () => {
  it('uses the configured directory of an ordinary user, private', async () => {
    const configuredDir = join(folder, 'data');
    expect(await resolve(configuredDir, false)).toEqual({
      path: configuredDir,
      lines: [],
      mode: 0o700,
    });
  });

  it('uses the configured directory of root where other users can pass', async () => {
    const configuredDir = join(folder, 'data');
    expect(await resolve(configuredDir, true)).toEqual({
      path: configuredDir,
      lines: [],
      mode: 0o711,
    });
  });

  it('relocates to the fallback root when a parent folder is not accessible, and prints it at each start', async () => {
    const closed = join(folder, 'closed');
    await mkdir(closed, { mode: 0o700 });
    const configuredDir = join(closed, 'data');
    const first = await resolve(configuredDir, true);
    const second = await resolve(configuredDir, true);

    expect(first.path).toMatch(new RegExp(`^${folder}/fallback/[0-9a-f]{12}$`));
    expect(first.mode).toBe(0o711);
    expect(first.lines).toEqual([expect.stringContaining(closed)]);
    expect(second).toEqual(first);
    expect(await readlink(join(configuredDir, 'home'))).toBe(first.path);
  });

  it('refuses to start when existing data is not accessible, instead of starting without it', async () => {
    const closed = join(folder, 'closed');
    const configuredDir = join(closed, 'data');
    await mkdir(join(configuredDir, 'postgres'), { recursive: true });
    await chmod(closed, 0o700);
    await expect(resolve(configuredDir, true)).rejects.toThrow(/^LONGSHORE_DATA_DIR is below /);
  });

  it('names the variable when the data directory cannot be created', async () => {
    await writeFile(join(folder, 'file'), '');
    const configuredDir = join(folder, 'file', 'data');
    await expect(resolve(configuredDir, true)).rejects.toThrow(
      `LONGSHORE_DATA_DIR ${configuredDir} cannot be used (ENOTDIR).`,
    );
  });
});
