import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockDataDir } from './lock-data-dir.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'longshore-lock-'));
});
afterEach(async () => await rm(home, { recursive: true, force: true }));

async function held() {
  const lock = await lockDataDir(home);
  if (!lock.ok) throw new Error(lock.message);
  return lock;
}

describe('lockDataDir', () => {
  it('refuses a second server with a sentence that names the variable', async () => {
    await held();
    expect(await lockDataDir(home)).toEqual({
      ok: false,
      message: `Another Longshore already uses LONGSHORE_DATA_DIR ${home}.`,
    });
  });

  it('is free again after release and leaves nothing behind', async () => {
    const first = await held();
    await first.release();
    expect(await readdir(home)).toEqual([]);
    await held();
    expect(await readdir(home)).toEqual(['server.lock']);
  });

  it('lets exactly one of many starters in', async () => {
    const locks = await Promise.all(Array.from({ length: 8 }, () => lockDataDir(home)));
    expect(locks.filter((lock) => lock.ok)).toHaveLength(1);
  });

  it('does not release the lock of a later server', async () => {
    const first = await held();
    await writeFile(join(home, 'server.lock'), "another server's");
    await first.release();
    expect(await readFile(join(home, 'server.lock'), 'utf8')).toBe("another server's");
  });

  it.each([
    ['a process that ended', `${2 ** 30} 1 boot`],
    ['a pid that another program uses now', `${process.pid} 1 boot`],
    ['a crash in the middle of writing', ''],
    ['something else entirely', 'not a lock'],
  ])('overrules what is left of %s', async (_, leftover) => {
    await writeFile(join(home, 'server.lock'), leftover);
    await held();
    expect(await readdir(home)).toEqual(['server.lock']);
  });
});
