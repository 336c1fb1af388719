import { instanceLogName } from '@longshore/contract';
import { findMatching } from '../../processes/kill-matching.ts';
import { stopProcessGroup } from '../../processes/process-group.ts';
import { instanceGroupName, killGroup } from './app-control-groups.ts';
import type { EngineDeps } from './deps.ts';
import { instanceMarks } from './environment.ts';
import { followOutput, type OutputFollower } from './follow-output.ts';
import { freeOutput } from './free-output.ts';
import { type InstanceRecord, writeInstanceRecord } from './instance-record.ts';
import { appLayout } from './layout.ts';
import { killLeftovers, selectLeftovers } from './leftovers.ts';

export type ProcessExit = { code: number | undefined; signal: string | undefined };

/** An instance this server looks after, whether it started it or found it. */
export type SupervisedInstance = {
  record(): InstanceRecord;
  /** Resolves when the end of the process is recorded and all its output told. */
  exitRecorded: Promise<void>;
  /** Stops looking after it; the process goes on. */
  close(): Promise<void>;
};

export type WatchedProcess = {
  appId: string;
  record: InstanceRecord;
  /** Resolves when the process is gone. */
  exited: Promise<ProcessExit>;
  stopWatching(): void;
};

/** Tells the output of an instance and records its end. */
export async function superviseInstance(
  { appId, record, exited: gone, stopWatching }: WatchedProcess,
  parts: EngineDeps,
  changed: (appId: string) => void,
): Promise<SupervisedInstance> {
  const layout = appLayout(parts.dataDir, appId);
  const tail = await followInstanceOutput(appId, record, parts);
  let current = record;
  let isClosed = false;

  async function recordEnd(end: ProcessExit): Promise<void> {
    if (isClosed) return;
    await stopRemainingProcesses(appId, record, parts);
    const group = instanceGroupName(appId, record);
    const isOutOfMemory = end.code !== 0 && (parts.groups?.countMemoryKills(group) ?? 0) > 0;
    await tail.finish();
    const told = { ...definedFields(end), at: parts.clock.now() };
    const exit = isOutOfMemory ? { ...told, isOutOfMemory } : told;
    current = { ...current, exit };
    await writeInstanceRecord(layout, current);
    // Only now: what it counted must not be lost if we are ended in between.
    await killGroup(parts.groups, group);
    changed(appId);
  }

  const ended = gone.then(recordEnd);
  // Whoever waits for the end sees the failure; nobody has to wait.
  ended.catch(() => {});
  return {
    record: () => current,
    exitRecorded: ended,
    async close() {
      isClosed = true;
      stopWatching();
      await tail.close();
    },
  };
}

/** One whose end was recorded earlier. */
export function exitedInstance(record: InstanceRecord): SupervisedInstance {
  return { record: () => record, exitRecorded: Promise.resolve(), close: async () => {} };
}

/** What the process left running gets the same grace; a group that is no longer ours is not touched. */
async function stopRemainingProcesses(
  appId: string,
  record: InstanceRecord,
  parts: EngineDeps,
): Promise<void> {
  const leftovers = {
    identity: parts.identities.find(appId),
    marks: instanceMarks(appId, record),
    isAlone: false,
  };
  const groupId = record.process?.pid;
  const isGroupOurs = findMatching(selectLeftovers(leftovers)).some((it) => it.groupId === groupId);
  if (groupId !== undefined && isGroupOurs) {
    await stopProcessGroup(groupId, { graceMs: parts.limits.graceMs });
  }
  await killLeftovers(leftovers);
}

async function followInstanceOutput(
  appId: string,
  record: InstanceRecord,
  parts: EngineDeps,
): Promise<OutputFollower> {
  const { output, position } = appLayout(parts.dataDir, appId).instance(record.id);
  const name = instanceLogName(appId, Number(record.id));
  return await followOutput({
    output,
    position,
    onLine: (line) => parts.logs.append(appId, name, line),
    waitForRoom: async () => await parts.logs.waitForRoom?.(appId),
    flush: async () => await parts.logs.flush?.(appId),
    free: freeOutput,
  });
}

function definedFields({ code, signal }: ProcessExit): { code?: number; signal?: string } {
  return { ...(code === undefined ? {} : { code }), ...(signal === undefined ? {} : { signal }) };
}
