import { setTimeout as delay } from 'node:timers/promises';
import { watchAlivePipe } from '../../processes/alive-pipe.ts';
import { buildGroupName, instanceGroupName, killGroup } from './app-control-groups.ts';
import type { EngineDeps } from './deps.ts';
import { buildMarks, instanceMarks } from './environment.ts';
import {
  type InstanceRecord,
  isProcessAlive,
  readInstanceRecords,
  removeInstanceRecord,
} from './instance-record.ts';
import { appLayout } from './layout.ts';
import { killLeftovers } from './leftovers.ts';
import {
  exitedInstance,
  type ProcessExit,
  type SupervisedInstance,
  superviseInstance,
} from './supervised-instance.ts';

/** Only for an app that closed the pipe it was given: there is no other way to see it end. */
const POLL_INTERVAL_MS = 2_000;
const UNKNOWN_EXIT: ProcessExit = { code: undefined, signal: undefined };

/** Takes over what an earlier server left of an app: instances that run, and builds that nobody waits for. */
export async function adoptApp(
  appId: string,
  parts: EngineDeps,
  changed: (appId: string) => void,
): Promise<Map<string, SupervisedInstance>> {
  const identity = parts.identities.find(appId);
  await killLeftovers({ identity, marks: buildMarks(appId), isAlone: false });
  await killGroup(parts.groups, buildGroupName(appId));
  const adopted = new Map<string, SupervisedInstance>();
  for (const record of await readInstanceRecords(appLayout(parts.dataDir, appId))) {
    const live = await adoptInstance(appId, record, parts, changed);
    if (live !== undefined) adopted.set(record.id, live);
  }
  return adopted;
}

async function adoptInstance(
  appId: string,
  record: InstanceRecord,
  parts: EngineDeps,
  changed: (appId: string) => void,
): Promise<SupervisedInstance | undefined> {
  if (record.exit !== undefined) {
    await killGroup(parts.groups, instanceGroupName(appId, record));
    return exitedInstance(record);
  }
  const layout = appLayout(parts.dataDir, appId);
  if (record.process === undefined) {
    // Cut off in the middle of a start: nobody can writeLine which process it was, so it is undone.
    const identity = parts.identities.find(appId);
    await killLeftovers({ identity, marks: instanceMarks(appId, record), isAlone: false });
    await killGroup(parts.groups, instanceGroupName(appId, record));
    await removeInstanceRecord(layout, record.id);
    return undefined;
  }
  const watched = watchProcess(record, layout.instance(record.id).alive);
  const live = await superviseInstance({ appId, record, ...watched }, parts, changed);
  if (!isProcessAlive(record)) await live.exitRecorded;
  return live;
}

/** Waits for the end of a process that is not our child. How it ended nobody can tell. */
function watchProcess(record: InstanceRecord, alive: string) {
  const stopped = new AbortController();
  let stopPipe = () => {};
  const released = new Promise<void>((resolve) => {
    stopPipe = watchAlivePipe(alive, resolve);
    // The pipe is silent when its holder was gone before we opened it.
    if (!isProcessAlive(record)) resolve();
  });
  const exited = released.then(async () => {
    stopPipe();
    while (isProcessAlive(record)) {
      await delay(POLL_INTERVAL_MS, undefined, { ref: false, signal: stopped.signal });
    }
    return UNKNOWN_EXIT;
  });
  const stopWatching = () => {
    stopPipe();
    stopped.abort();
  };
  return { exited, stopWatching };
}
