import { readFile, stat, truncate } from 'node:fs/promises';
import { bootId, isRunning, sightingOf } from '../../processes/process-table.ts';
import { appLayout, recordsFolder } from './layout.ts';
import { namesIn } from './release-record.ts';

const BLOCK_BYTES = 512;
/** As much as a server that comes back would read. */
const MAX_OUTPUT_BYTES = 64 * 1_048_576;
const KEPT_BYTES = 1_048_576;

export type GuardDeps = {
  home: string;
  free(path: string, bytes: number): Promise<boolean>;
  maxBytes?: number;
};

/**
 * Looks once at the output of every instance that runs without a server, and frees what nobody will read. Answers whether
 * there is one at all.
 */
export async function guardOutputs({
  home,
  free,
  maxBytes = MAX_OUTPUT_BYTES,
}: GuardDeps): Promise<boolean> {
  let isAnyAlive = false;
  for (const appId of await namesIn(recordsFolder(home))) {
    const layout = appLayout(home, appId);
    for (const id of await namesIn(layout.instances)) {
      const { record, output } = layout.instance(id);
      if (!(await isAlive(record))) continue;
      isAnyAlive = true;
      await bound(output);
    }
  }
  return isAnyAlive;

  async function bound(output: string): Promise<void> {
    const { size, blocks } = await stat(output);
    if (blocks * BLOCK_BYTES <= maxBytes) return;
    const isFreed = await free(output, Math.max(1, size - KEPT_BYTES));
    // The app appends, so it goes on at the new end; a line may be lost, the disk is not.
    if (!isFreed) await truncate(output, 0);
  }
}

/** The record is read without its schema: this runs in a program that has to stay small. */
async function isAlive(record: string): Promise<boolean> {
  const text = await readFile(record, 'utf8').catch(() => '{}');
  const { process } = JSON.parse(text) as {
    process?: { pid: number; startTime: string; bootId: string };
  };
  if (process === undefined || process.bootId !== bootId()) return false;
  const sighting = sightingOf(process.pid);
  return sighting?.startTime === process.startTime && isRunning(sighting);
}
