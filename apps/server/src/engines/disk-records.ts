import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { EngineRecords } from './engine-records.ts';
import { readJson, writeJson } from './json-file.ts';

/** Each record is a file in this folder. */
export function createDiskRecords(folder: string): EngineRecords {
  async function write(path: string, value: unknown): Promise<void> {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeJson(file, value);
  }

  return {
    read: (path, schema) => readJson(join(folder, path), schema),
    write,
    async increase(path, floor) {
      const last = (await readJson(join(folder, path), z.int())) ?? 0;
      const next = Math.max(last, floor) + 1;
      await write(path, next);
      return next;
    },
    remove: (path) => rm(join(folder, path), { recursive: true, force: true }),
  };
}
