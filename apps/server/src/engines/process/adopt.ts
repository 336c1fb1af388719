import { setTimeout as delay } from 'node:timers/promises';
import { watchAlivePipe } from '../../processes/alive-pipe.ts';
import { buildGroup, endInGroup, instanceGroup } from './app-groups.ts';
import type { EngineParts } from './deps.ts';
import { buildMarks, instanceMarks } from './environment.ts';
import {
  forgetInstance,
  type InstanceRecord,
  isProcessAlive,
  readInstances,
} from './instance-record.ts';
import { appLayout } from './layout.ts';
import { endLeftovers } from './leftovers.ts';
import { endedInstance, type LiveInstance, lookAfter, type ProcessEnd } from './live-instance.ts';

/** Only for an app that closed the pipe it was given: there is no other way to see it end. */
const LOOK_AGAIN_MS = 2_000;
const UNKNOWN_END: ProcessEnd = { code: undefined, signal: undefined };

/** Takes over what an earlier server left of an app: instances that run, and builds that nobody waits for. */
export async function adoptApp(
  appId: string,
  parts: EngineParts,
  changed: (appId: string) => void,
): Promise<Map<string, LiveInstance>> {
  const identity = parts.identities.known(appId);
  await endLeftovers({ identity, marks: buildMarks(appId), isAlone: false });
  await endInGroup(parts.groups, buildGroup(appId));
  const adopted = new Map<string, LiveInstance>();
  for (const record of await readInstances(appLayout(parts.dataDir, appId))) {
    const live = await adoptInstance(appId, record, parts, changed);
    if (live !== undefined) adopted.set(record.id, live);
  }
  return adopted;
}

async function adoptInstance(
  appId: string,
  record: InstanceRecord,
  parts: EngineParts,
  changed: (appId: string) => void,
): Promise<LiveInstance | undefined> {
  if (record.exit !== undefined) {
    await endInGroup(parts.groups, instanceGroup(appId, record));
    return endedInstance(record);
  }
  const layout = appLayout(parts.dataDir, appId);
  if (record.process === undefined) {
    // Cut off in the middle of a start: nobody can say which process it was, so it is undone.
    const identity = parts.identities.known(appId);
    await endLeftovers({ identity, marks: instanceMarks(appId, record), isAlone: false });
    await endInGroup(parts.groups, instanceGroup(appId, record));
    await forgetInstance(layout, record.id);
    return undefined;
  }
  const watched = watchProcess(record, layout.instance(record.id).alive);
  const live = await lookAfter({ appId, record, ...watched }, parts, changed);
  if (!isProcessAlive(record)) await live.ended;
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
  const gone = released.then(async () => {
    stopPipe();
    while (isProcessAlive(record)) {
      await delay(LOOK_AGAIN_MS, undefined, { ref: false, signal: stopped.signal });
    }
    return UNKNOWN_END;
  });
  const stopWatching = () => {
    stopPipe();
    stopped.abort();
  };
  return { gone, stopWatching };
}
