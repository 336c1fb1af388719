import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { gitGroupName } from '../../build/git-runner.ts';
import { createCondition } from '../../concurrency/condition.ts';
import { watchAlivePipe } from '../../processes/alive-pipe.ts';
import { parseExitStatus } from '../../sandbox/exit-status.ts';
import {
  buildGroupName,
  instanceGroupName,
  killCommandGroups,
  killGroup,
} from './app-control-groups.ts';
import type { EngineDeps } from './deps.ts';
import { buildMarks, commandMarks, instanceMarks } from './environment.ts';
import { watchGrowth } from './follow-output.ts';
import {
  type InstanceRecord,
  isIsolated,
  isProcessAlive,
  readInstanceRecords,
  removeInstanceRecord,
} from './instance-record.ts';
import { appLayout, type InstanceLayout } from './layout.ts';
import { killLeftovers } from './leftovers.ts';
import {
  exitedInstance,
  type ProcessExit,
  type SupervisedInstance,
  superviseInstance,
} from './supervised-instance.ts';

/** For apps that closed their alive pipe, and killed monitors: their exit can only be found by polling. */
const POLL_INTERVAL_MS = 2_000;
const ENDING_INTERVAL_MS = 20;
const UNKNOWN_EXIT: ProcessExit = { code: undefined, signal: undefined };

/** Adopts the instances of an earlier server and kills its unfinished build and commands. */
export async function adoptApp(
  appId: string,
  deps: EngineDeps,
  changed: (appId: string) => void,
): Promise<Map<string, SupervisedInstance>> {
  const identity = deps.identities.find(appId);
  for (const marks of [buildMarks(appId), commandMarks(appId)]) {
    await killLeftovers({ identity, marks, isAlone: false });
  }
  await killCommandGroups(deps.groups, appId);
  for (const group of [buildGroupName(appId), gitGroupName(appId)]) {
    await killGroup(deps.groups, group);
  }
  const adopted = new Map<string, SupervisedInstance>();
  for (const record of await readInstanceRecords(appLayout(deps.dataDir, appId))) {
    const live = await adoptInstance(appId, record, deps, changed);
    if (live !== undefined) adopted.set(record.id, live);
  }
  return adopted;
}

async function adoptInstance(
  appId: string,
  record: InstanceRecord,
  deps: EngineDeps,
  changed: (appId: string) => void,
): Promise<SupervisedInstance | undefined> {
  if (record.exit !== undefined) {
    await killGroup(deps.groups, instanceGroupName(appId, record));
    return exitedInstance(record);
  }
  const layout = appLayout(deps.dataDir, appId);
  if (record.process === undefined) {
    // The start was interrupted and the pid is unknown, so the start is undone.
    const identity = deps.identities.find(appId);
    await killLeftovers({ identity, marks: instanceMarks(appId, record), isAlone: false });
    await killGroup(deps.groups, instanceGroupName(appId, record));
    await removeInstanceRecord(layout, record.id);
    return undefined;
  }
  const watched = watchProcess(record, layout.instance(record.id));
  const live = await superviseInstance({ appId, record, ...watched }, deps, changed);
  if (!isProcessAlive(record)) await live.exitRecorded;
  return live;
}

/** Waits for the exit of a process that is not a child of this server. */
function watchProcess(record: InstanceRecord, files: InstanceLayout) {
  const stopped = new AbortController();
  const { signal } = stopped;
  const exited = isIsolated(record)
    ? waitForStatus(record, files, signal)
    : waitForRelease(record, files, signal);
  return { exited, stopWatching: () => stopped.abort() };
}

/** The process holds a pipe until it exits. */
async function waitForRelease(
  record: InstanceRecord,
  { alive }: InstanceLayout,
  signal: AbortSignal,
): Promise<ProcessExit> {
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', watchAlivePipe(alive, resolve));
    // The pipe reports nothing when its holder exited before the pipe was opened.
    if (!isProcessAlive(record)) resolve();
  });
  while (isProcessAlive(record)) {
    await delay(POLL_INTERVAL_MS, undefined, { ref: false, signal });
  }
  return UNKNOWN_EXIT;
}

/** Bubblewrap writes the exit code shortly before the process is gone, unless it was killed itself. */
async function waitForStatus(
  record: InstanceRecord,
  { status }: InstanceLayout,
  signal: AbortSignal,
): Promise<ProcessExit> {
  const written = createCondition();
  const stopWatching = watchGrowth(status, () => written.notifyAll());
  signal.addEventListener('abort', stopWatching);
  try {
    for (let exit = await readExit(status); ; exit = await readExit(status)) {
      if (!isProcessAlive(record)) return exit ?? UNKNOWN_EXIT;
      const pauseMs = exit === undefined ? POLL_INTERVAL_MS : ENDING_INTERVAL_MS;
      await Promise.race([written.wait(signal), delay(pauseMs, undefined, { ref: false, signal })]);
      signal.throwIfAborted();
    }
  } finally {
    stopWatching();
  }
}

async function readExit(status: string): Promise<ProcessExit | undefined> {
  return parseExitStatus(await readFile(status, 'utf8').catch(() => ''));
}
