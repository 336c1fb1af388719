import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createDatabaseFolder } from '@longshore/server/testing/database-folder';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { temporaryFolder } from './temporary-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder of a database without tables. */
    emptyDatabase: string;
  }
}

const run = promisify(execFile);

/** Creates the database that most servers of journeys start with: creating each takes a second of processor time. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const { path, remove } = await temporaryFolder();
  provide('emptyDatabase', await createDatabaseFolder(path));
  return remove;
}

/** A data directory that has its database, but no tables yet. */
export async function newDataDir(folder: string): Promise<string> {
  const dataDir = join(folder, 'data');
  const database = join(dataDir, 'postgres');
  await mkdir(database, { recursive: true });
  await run('cp', ['--archive', inject('emptyDatabase'), join(database, 'data')]);
  return dataDir;
}
