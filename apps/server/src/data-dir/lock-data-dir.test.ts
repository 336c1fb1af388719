import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockDataDir } from './lock-data-dir.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'longshore-lock-'));
});
afterEach(async () => await rm(dataDir, { recursive: true, force: true }));

async function acquire() {
  const lock = await lockDataDir(dataDir);
  if (!lock.ok) throw new Error(lock.message);
  return lock;
}

describe('lockDataDir', () => {
  it('refuses a second server with a message that names the variable', async () => {
    await acquire();
    expect(await lockDataDir(dataDir)).toEqual({
      ok: false,
      message: `Another Longshore already uses LONGSHORE_DATA_DIR ${dataDir}.`,
    });
  });

  it('is free after its release and leaves no file', async () => {
    const first = await acquire();
    await first.release();
    expect(await readdir(dataDir)).toEqual([]);
    await acquire();
    expect(await readdir(dataDir)).toEqual(['server.lock']);
  });

  it('gives the lock to exactly one of many servers that start at once', async () => {
    const locks = await Promise.all(Array.from({ length: 8 }, () => lockDataDir(dataDir)));
    expect(locks.filter((lock) => lock.ok)).toHaveLength(1);
  });

  it('does not release the lock of another server', async () => {
    const first = await acquire();
    await writeFile(join(dataDir, 'server.lock'), "another server's");
    await first.release();
    expect(await readFile(join(dataDir, 'server.lock'), 'utf8')).toBe("another server's");
  });

  it.each([
    ['the holder has exited', `${2 ** 30} 1 boot`],
    ['its pid belongs to another program now', `${process.pid} 1 boot`],
    ['a crash left the file empty', ''],
    ['the file is not a lock', 'not a lock'],
  ])('takes over a stale lock: %s', async (_, leftover) => {
    await writeFile(join(dataDir, 'server.lock'), leftover);
    await acquire();
    expect(await readdir(dataDir)).toEqual(['server.lock']);
  });
});
