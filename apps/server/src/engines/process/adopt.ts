import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { gitGroupName } from '../../build/git-runner.ts';
import { watchAlivePipe } from '../../processes/alive-pipe.ts';
import { parseExitStatus } from '../../sandbox/exit-status.ts';
import { buildGroupName, instanceGroupName, killGroup } from './app-control-groups.ts';
import type { EngineDeps } from './deps.ts';
import { buildMarks, instanceMarks } from './environment.ts';
import {
  type InstanceRecord,
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

/** For apps that closed their alive pipe: their exit can only be found by polling. */
const POLL_INTERVAL_MS = 2_000;
const UNKNOWN_EXIT: ProcessExit = { code: undefined, signal: undefined };

/** Adopts the instances of an earlier server and kills its unfinished build. */
export async function adoptApp(
  appId: string,
  deps: EngineDeps,
  changed: (appId: string) => void,
): Promise<Map<string, SupervisedInstance>> {
  const identity = deps.identities.find(appId);
  await killLeftovers({ identity, marks: buildMarks(appId), isAlone: false });
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
function watchProcess(record: InstanceRecord, { alive, status }: InstanceLayout) {
  const stopped = new AbortController();
  let stopPipe = () => {};
  const released = new Promise<void>((resolve) => {
    stopPipe = watchAlivePipe(alive, resolve);
    // The pipe reports nothing when its holder exited before the pipe was opened.
    if (!isProcessAlive(record)) resolve();
  });
  const exited = released.then(async () => {
    stopPipe();
    while (isProcessAlive(record)) {
      await delay(POLL_INTERVAL_MS, undefined, { ref: false, signal: stopped.signal });
    }
    return await readExit(status);
  });
  const stopWatching = () => {
    stopPipe();
    stopped.abort();
  };
  return { exited, stopWatching };
}

/** Bubblewrap writes the exit code of an isolated instance; that of another process is unknown. */
async function readExit(status: string): Promise<ProcessExit> {
  const text = await readFile(status, 'utf8').catch(() => '');
  return parseExitStatus(text) ?? UNKNOWN_EXIT;
}
