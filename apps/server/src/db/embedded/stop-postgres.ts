import { setTimeout as delay } from 'node:timers/promises';
import { readProcessStat } from '../../processes/process-stat.ts';

/** The start time tells the process apart from a later one with the same pid. */
export type RunningPostgres = { pid: number; startTime: string };

const CHECK_MS = 10;
const WATCH_MS = 1_000;
/** Fast shutdown, immediate shutdown, kill; each one only if the one before had no effect. */
const ESCALATION = [
  { signal: 'SIGINT', graceMs: 10_000 },
  { signal: 'SIGQUIT', graceMs: 5_000 },
  { signal: 'SIGKILL', graceMs: 5_000 },
] as const;

/** Resolves when the process has ended. It may have ended already. */
export async function stopPostgres(postgres: RunningPostgres): Promise<void> {
  for (const { signal, graceMs } of ESCALATION) {
    if (!(await isRunning(postgres))) return;
    sendSignal(postgres.pid, signal);
    const deadline = performance.now() + graceMs;
    while ((await isRunning(postgres)) && performance.now() < deadline) await delay(CHECK_MS);
  }
}

/** Polls, because a Postgres that was taken over is not a child process. */
export async function waitForPostgresEnd(
  postgres: RunningPostgres,
  signal: AbortSignal,
): Promise<void> {
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
    // The process ended between the check and the signal.
  }
}
