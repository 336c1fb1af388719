import { readFile, stat, truncate } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Command } from '../../processes/command.ts';
import { findProcess, isRunning, readBootId } from '../../processes/process-table.ts';
import { appLayout, recordsFolder } from './layout.ts';
import { listFolder } from './release-record.ts';

/*
 * Keeps the output files of instances from filling the disk of the machine. A server that runs frees what it has read, but an
 * app can also write into parts that were freed already. Instances keep running while no server does, for example during an
 * upgrade: then the output limiter is a separate program.
 */

const PROGRAM = fileURLToPath(import.meta.resolve('./output-limiter-program.ts'));
const BLOCK_BYTES = 512;
/** As much as a returning server reads. */
const MAX_OUTPUT_BYTES = 64 * 1_048_576;
const KEPT_BYTES = 1_048_576;

/** The command that starts the output limiter. */
export function outputLimiterCommand(dataDir: string): Command {
  return {
    argv: [process.execPath, PROGRAM, dataDir],
    cwd: '/',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
  };
}

export type OutputLimits = {
  dataDir: string;
  /** Frees the disk space of the first bytes of a file; returns whether the file system supports it. */
  free(path: string, bytes: number): Promise<boolean>;
  maxBytes?: number;
};

/** Checks the output of every running instance once and frees what is over the limit. Returns whether any instance runs. */
export async function limitOutputs({
  dataDir,
  free,
  maxBytes = MAX_OUTPUT_BYTES,
}: OutputLimits): Promise<boolean> {
  let isAnyAlive = false;
  for (const appId of await listFolder(recordsFolder(dataDir))) {
    const layout = appLayout(dataDir, appId);
    for (const id of await listFolder(layout.instances)) {
      const { record, output } = layout.instance(id);
      if (!(await isAlive(record))) continue;
      isAnyAlive = true;
      await limitOutput(output);
    }
  }
  return isAnyAlive;

  async function limitOutput(output: string): Promise<void> {
    const stats = await stat(output).catch(() => undefined);
    // Removed meanwhile.
    if (stats === undefined) return;
    const { size, blocks } = stats;
    if (blocks * BLOCK_BYTES <= maxBytes) return;
    const isFreed = await free(output, Math.max(1, size - KEPT_BYTES));
    // The app appends, so it continues at the new end. A line may be lost, but the disk does not fill up.
    if (!isFreed) await truncate(output, 0);
  }
}

const INTERVAL_MS = 2_000;

/** Limits outputs while a server runs. */
export function startOutputLimiter({
  logError,
  ...limits
}: OutputLimits & { logError(error: unknown): void }): { stop(): Promise<void> } {
  let running: Promise<void> | undefined;
  const interval = setInterval(() => {
    running ??= limitOutputs(limits)
      .then(() => {}, logError)
      .finally(() => {
        running = undefined;
      });
  }, INTERVAL_MS);
  interval.unref();
  return {
    async stop() {
      clearInterval(interval);
      await running;
    },
  };
}

/** The record is read without its schema, so that the limiter program stays small. */
async function isAlive(record: string): Promise<boolean> {
  const text = await readFile(record, 'utf8').catch(() => '{}');
  const { process } = JSON.parse(text) as {
    process?: { pid: number; startTime: string; bootId: string };
  };
  if (process === undefined || process.bootId !== readBootId()) return false;
  const found = findProcess(process.pid);
  return found?.startTime === process.startTime && isRunning(found);
}
