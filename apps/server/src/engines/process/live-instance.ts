import { instanceLogName } from '@longshore/contract';
import { endGroup } from '../../processes/end-group.ts';
import { targeted } from '../../processes/sweep.ts';
import { endInGroup, instanceGroup } from './app-groups.ts';
import type { EngineParts } from './deps.ts';
import { instanceMarks } from './environment.ts';
import { freeOutput } from './free-output.ts';
import { type InstanceRecord, writeInstance } from './instance-record.ts';
import { appLayout } from './layout.ts';
import { endLeftovers, targetOf } from './leftovers.ts';
import { startTail, type Tail } from './tail.ts';

export type ProcessEnd = { code: number | undefined; signal: string | undefined };

/** An instance this server looks after, whether it started it or found it. */
export type LiveInstance = {
  record(): InstanceRecord;
  /** Resolves when the end of the process is recorded and all its output told. */
  ended: Promise<void>;
  /** Stops looking after it; the process goes on. */
  close(): Promise<void>;
};

export type Watched = {
  appId: string;
  record: InstanceRecord;
  /** Resolves when the process is gone. */
  gone: Promise<ProcessEnd>;
  stopWatching(): void;
};

/** Tells the output of an instance and records its end. */
export async function lookAfter(
  { appId, record, gone, stopWatching }: Watched,
  parts: EngineParts,
  changed: (appId: string) => void,
): Promise<LiveInstance> {
  const layout = appLayout(parts.dataDir, appId);
  const tail = await tailOf(appId, record, parts);
  let current = record;
  let isClosed = false;

  async function recordEnd(end: ProcessEnd): Promise<void> {
    if (isClosed) return;
    await endRest(appId, record, parts);
    const group = instanceGroup(appId, record);
    const isOutOfMemory = end.code !== 0 && (parts.groups?.memoryKills(group) ?? 0) > 0;
    await tail.finish();
    const told = { ...definedOf(end), at: parts.clock.now() };
    const exit = isOutOfMemory ? { ...told, isOutOfMemory } : told;
    current = { ...current, exit };
    await writeInstance(layout, current);
    // Only now: what it counted must not be lost if we are ended in between.
    await endInGroup(parts.groups, group);
    changed(appId);
  }

  const ended = gone.then(recordEnd);
  // Whoever waits for the end sees the failure; nobody has to wait.
  ended.catch(() => {});
  return {
    record: () => current,
    ended,
    async close() {
      isClosed = true;
      stopWatching();
      await tail.close();
    },
  };
}

/** One whose end was recorded earlier. */
export function endedInstance(record: InstanceRecord): LiveInstance {
  return { record: () => record, ended: Promise.resolve(), close: async () => {} };
}

/** What the process left running gets the same grace; a group that is no longer ours is not touched. */
async function endRest(appId: string, record: InstanceRecord, parts: EngineParts): Promise<void> {
  const leftovers = {
    identity: parts.identities.known(appId),
    marks: instanceMarks(appId, record),
    isAlone: false,
  };
  const groupId = record.process?.pid;
  const isGroupOurs = targeted(targetOf(leftovers)).some((it) => it.groupId === groupId);
  if (groupId !== undefined && isGroupOurs) {
    await endGroup(groupId, { graceMs: parts.limits.graceMs });
  }
  await endLeftovers(leftovers);
}

async function tailOf(appId: string, record: InstanceRecord, parts: EngineParts): Promise<Tail> {
  const { output, position } = appLayout(parts.dataDir, appId).instance(record.id);
  const name = instanceLogName(appId, Number(record.id));
  return await startTail({
    output,
    position,
    onLine: (line) => parts.logs.append(appId, name, line),
    room: async () => await parts.logs.waitForRoom?.(appId),
    stored: async () => await parts.logs.flush?.(appId),
    free: freeOutput,
  });
}

function definedOf({ code, signal }: ProcessEnd): { code?: number; signal?: string } {
  return { ...(code === undefined ? {} : { code }), ...(signal === undefined ? {} : { signal }) };
}
