import { type ChildProcess, spawn } from 'node:child_process';
import { sql } from 'kysely';
import { intervalsBetween, MINUTE_MS, mergeMinutes, minutesOf } from '../src/apps/usage-minutes.ts';
import { createUsageRows } from '../src/apps/usage-rows.ts';
import { instanceGroupName } from '../src/engines/process/app-control-groups.ts';
import {
  exitedInstance,
  type SupervisedInstance,
} from '../src/engines/process/supervised-instance.ts';
import { readInstanceUsage } from '../src/engines/process/usage.ts';
import type { ControlGroups } from '../src/processes/control-groups/control-groups.ts';
import { findControlGroups } from '../src/processes/control-groups/find-control-groups.ts';
import { insertApps, openBenchDatabase } from './bench-database.ts';
import { DEFAULT_SIZE } from './tiers.ts';
import { appValues } from './values.ts';

/** Idle programs in control groups of their own, to measure the cost of sampling alone. */
export type SampledInstances = {
  /** What the server does in one minute: it measures all instances four times, and stores what they used. */
  passMinute(): Promise<void>;
  /** What the stored rows take on the disk. */
  storedBytes(): Promise<number>;
  stop(): Promise<void>;
};

const SAMPLES_PER_MINUTE = 4;
const INSTANCE = '1';

export async function openSampledInstances(
  dataDir: string,
  count: number,
): Promise<SampledInstances> {
  const groups = findControlGroups(`longshore-bench-${process.pid}`);
  if (groups === undefined)
    throw new Error('This benchmark needs control groups, so run it as root');
  const { db, stop } = await openBenchDatabase(dataDir);
  const appIds = await insertApps(db, count, appValues('harbour'));
  const programs = appIds.map((appId) => startProgram(appId, groups));
  const apps = new Map(appIds.map((appId) => [appId, new Map([[INSTANCE, instance()]])]));
  const rows = createUsageRows(db, Date);
  const { signal } = new AbortController();
  let at = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  let last = { at, usages: await readInstanceUsage(apps, { groups }, signal) };

  return {
    async passMinute() {
      let minutes = mergeMinutes([]);
      for (let sample = 0; sample < SAMPLES_PER_MINUTE; sample += 1) {
        at += MINUTE_MS / SAMPLES_PER_MINUTE;
        const next = { at, usages: await readInstanceUsage(apps, { groups }, signal) };
        minutes = mergeMinutes([...minutes, ...intervalsBetween(last, next).flatMap(minutesOf)]);
        last = next;
      }
      await rows.add(minutes);
    },
    async storedBytes() {
      const sizes = await sql<{ bytes: string }>`
        select pg_total_relation_size('deploy.usage') as bytes`.execute(db);
      return Number(sizes.rows[0]?.bytes);
    },
    async stop() {
      for (const program of programs) program.kill('SIGKILL');
      for (const appId of appIds) await groups.kill(groupOf(appId));
      groups.close();
      await stop();
    },
  };
}

function groupOf(appId: string): string {
  return instanceGroupName(appId, { id: INSTANCE });
}

function startProgram(appId: string, groups: ControlGroups): ChildProcess {
  const program = spawn('sleep', ['100000'], { stdio: 'ignore' });
  groups.create(groupOf(appId), DEFAULT_SIZE);
  if (program.pid !== undefined) groups.addProcess(groupOf(appId), program.pid);
  return program;
}

function instance(): SupervisedInstance {
  const record = {
    id: INSTANCE,
    release: 1,
    port: 0,
    startedAt: 0,
    process: { pid: process.pid, startTime: '', bootId: '' },
    attachment: { device: 'none', address: '10.213.0.2' },
  };
  return exitedInstance(record);
}
