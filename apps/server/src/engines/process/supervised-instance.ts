import { findMatching } from '../../processes/kill-matching.ts';
import { stopProcessGroup } from '../../processes/process-group.ts';
import type { Attachment } from '../../sandbox/network/network.ts';
import { instanceGroupName, killGroup } from './app-control-groups.ts';
import type { EngineDeps } from './deps.ts';
import { instanceMarks } from './environment.ts';
import { followOutput, type OutputFollower } from './follow-output.ts';
import { freeOutput } from './free-output.ts';
import {
  graceMsOf,
  type InstanceRecord,
  isIsolated,
  logNameOf,
  writeInstanceRecord,
} from './instance-record.ts';
import { appLayout } from './layout.ts';
import { killLeftovers, selectLeftovers } from './leftovers.ts';

export type ProcessExit = { code: number | undefined; signal: string | undefined };

/** An instance that this server started or adopted. */
export type SupervisedInstance = {
  record(): InstanceRecord;
  /** Resolves when all output is in the log and the exit of the process is recorded. */
  exitRecorded: Promise<void>;
  /** The exit is recorded when this has ended: the first process of a sandbox may exit before the others have finished. */
  whileStopping<Result>(stopping: Promise<Result>): Promise<Result>;
  /** Stops the supervision; the process keeps running. */
  close(): Promise<void>;
};

export type WatchedProcess = {
  appId: string;
  record: InstanceRecord;
  /** Resolves when the process is gone. */
  exited: Promise<ProcessExit>;
  stopWatching(): void;
};

/** Copies the output of an instance to the log and records its exit. */
export async function superviseInstance(
  { appId, record, exited, stopWatching }: WatchedProcess,
  deps: EngineDeps,
  changed: (appId: string) => void,
): Promise<SupervisedInstance> {
  const layout = appLayout(deps.dataDir, appId);
  const tail = await followInstanceOutput(appId, record, deps);
  let current = record;
  let isClosed = false;
  let stopped: Promise<unknown> = Promise.resolve();

  async function recordExit(end: ProcessExit): Promise<void> {
    await stopped;
    if (isClosed) return;
    if (!isIsolated(record)) await stopRemainingProcesses(appId, record, deps);
    const group = instanceGroupName(appId, record);
    const isOutOfMemory = end.code !== 0 && (deps.groups?.countMemoryKills(group) ?? 0) > 0;
    await tail.finish();
    const known = { ...definedFields(end), at: deps.clock.now() };
    const exit = isOutOfMemory ? { ...known, isOutOfMemory } : known;
    current = { ...current, exit };
    await writeInstanceRecord(layout, current);
    try {
      // Only now, because the group's out-of-memory count would be lost if the server were killed in between.
      await killGroup(deps.groups, group);
    } finally {
      // Last, so that a process which outlived the sandbox can still end its connections.
      if (record.attachment !== undefined) await releaseNetwork(appId, record.attachment, deps);
    }
    changed(appId);
  }

  const exitRecorded = exited.then(recordExit);
  // Callers that wait for the exit see the failure; without callers it must not be unhandled.
  exitRecorded.catch(() => {});
  return {
    record: () => current,
    exitRecorded,
    whileStopping(stopping) {
      stopped = stopping.catch(() => {});
      return stopping;
    },
    async close() {
      isClosed = true;
      stopWatching();
      await tail.close();
    },
  };
}

/** Nobody can reach the instance any more, so its address may be given to another one. */
async function releaseNetwork(
  appId: string,
  attachment: Attachment,
  { isolated }: EngineDeps,
): Promise<void> {
  await isolated?.names.release(appId, attachment.address);
  await isolated?.sandbox.detach(attachment);
}

/** An instance whose exit is already recorded. */
export function exitedInstance(record: InstanceRecord): SupervisedInstance {
  return {
    record: () => record,
    exitRecorded: Promise.resolve(),
    whileStopping: (stopping) => stopping,
    close: async () => {},
  };
}

/**
 * Stops processes that the main process left running, with the same grace period. A process group of another program that
 * reuses the id is not touched.
 */
async function stopRemainingProcesses(
  appId: string,
  record: InstanceRecord,
  deps: EngineDeps,
): Promise<void> {
  const leftovers = {
    identity: deps.identities.find(appId),
    marks: instanceMarks(appId, record),
    isAlone: false,
  };
  const groupId = record.process?.pid;
  const isOwnGroup = findMatching(selectLeftovers(leftovers)).some((it) => it.groupId === groupId);
  if (groupId !== undefined && isOwnGroup) {
    await stopProcessGroup(groupId, { graceMs: graceMsOf(record, deps) });
  }
  await killLeftovers(leftovers);
}

async function followInstanceOutput(
  appId: string,
  record: InstanceRecord,
  deps: EngineDeps,
): Promise<OutputFollower> {
  const { output, position } = appLayout(deps.dataDir, appId).instance(record.id);
  const name = logNameOf(appId, record);
  return await followOutput({
    output,
    position,
    onLine: (line) => deps.logs.append(appId, name, line),
    waitForRoom: () => deps.logs.waitForRoom(appId),
    flush: () => deps.logs.flush(appId),
    free: freeOutput,
  });
}

function definedFields({ code, signal }: ProcessExit): { code?: number; signal?: string } {
  return { ...(code === undefined ? {} : { code }), ...(signal === undefined ? {} : { signal }) };
}
