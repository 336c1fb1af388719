import { setTimeout as delay } from 'node:timers/promises';
import { readProcessStat } from '../../processes/process-stat.ts';

/** A process that cannot be mistaken for a later one with its pid. */
export type RunningPostgres = { pid: number; startTime: string };

const CHECK_MS = 10;
const WATCH_MS = 1_000;
/** Each is asked only when the one before was not enough. Fast shutdown, immediate shutdown, force. */
const REQUESTS = [
  { signal: 'SIGINT', graceMs: 10_000 },
  { signal: 'SIGQUIT', graceMs: 5_000 },
  { signal: 'SIGKILL', graceMs: 5_000 },
] as const;

/** Resolves when it is gone. One that is gone already is fine. */
export async function stopPostgres(postgres: RunningPostgres): Promise<void> {
  for (const { signal, graceMs } of REQUESTS) {
    if (!(await isRunning(postgres))) return;
    sendSignal(postgres.pid, signal);
    const giveUpAt = performance.now() + graceMs;
    while ((await isRunning(postgres)) && performance.now() < giveUpAt) await delay(CHECK_MS);
  }
}

/** Resolves when it has ended, whoever ended it. One that was taken over is no child of ours, so it is looked at. */
export async function postgresEnd(postgres: RunningPostgres, signal: AbortSignal): Promise<void> {
  while (await isRunning(postgres)) await delay(WATCH_MS, undefined, { signal });
}

export async function runningPostgres(pid: number): Promise<RunningPostgres | undefined> {
  const stat = await readProcessStat(pid);
  return stat === undefined ? undefined : { pid, startTime: stat.startTime };
}

async function isRunning({ pid, startTime }: RunningPostgres): Promise<boolean> {
  const stat = await readProcessStat(pid);
  return stat !== undefined && stat.state !== 'Z' && stat.startTime === startTime;
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended between the look and the signal.
  }
}
