import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { EngineRecords } from './engine-records.ts';
import { readJson, writeJson } from './json-file.ts';

/** Each record is a file in this folder. */
export function createDiskRecords(folder: string): EngineRecords {
  return {
    read: (path, schema) => readJson(join(folder, path), schema),
    async write(path, value) {
      const file = join(folder, path);
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await writeJson(file, value);
    },
    remove: (path) => rm(join(folder, path), { recursive: true, force: true }),
  };
}
