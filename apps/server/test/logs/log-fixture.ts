import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { LogQuery } from '../../src/logs/log-reader.ts';
import type { LogRecord } from '../../src/logs/log-record.ts';
import { createLogStore, type LogStore, type LogStoreDeps } from '../../src/logs/log-store.ts';

export const APP = '3f2a91aa-0000-4000-8000-000000000000';
export const NAME = 'app-3f2a91-1';
export const BUILD = 'app-3f2a91-build-1';
const neverAborted = new AbortController().signal;

/** A real store, closed when the test ends. Without `folder` it uses a temporary one. */
export async function openStore(options: Partial<LogStoreDeps> = {}) {
  const folder = options.folder ?? (await temporaryFolder());
  const store = createLogStore({ clock: { now: () => 1_000 }, ...options, folder });
  onTestFinished(() => store.close());
  const read = (query: Partial<LogQuery> = {}) => readLines(store, query);
  const texts = async (tailLines = 1_000) => (await read({ tailLines })).map(({ text }) => text);
  return { folder, store, read, texts };
}

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'logs-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function readLines(store: LogStore, query: Partial<LogQuery>): Promise<LogRecord[]> {
  const fullQuery = { tailLines: 1_000, follow: false, previous: false, ...query };
  const found: LogRecord[] = [];
  for await (const records of (await store.open(APP, fullQuery, neverAborted))(neverAborted))
    found.push(...records);
  return found;
}
