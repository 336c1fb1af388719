import { stopProcessGroup } from '../../processes/process-group.ts';
import { EngineFailure } from '../failure.ts';
import { instanceGroupName, killGroup } from './app-control-groups.ts';
import type { EngineDeps } from './deps.ts';
import { instanceMarks } from './environment.ts';
import { graceMsOf, isIsolated, isProcessAlive, removeInstanceRecord } from './instance-record.ts';
import { appLayout } from './layout.ts';
import { killLeftovers } from './leftovers.ts';
import type { SupervisedInstance } from './supervised-instance.ts';

/** `isAlone`: asked when the instance has ended, because others may stop at the same time. */
export type Stopping = {
  appId: string;
  live: SupervisedInstance;
  isAlone(): Promise<boolean>;
};

/** Stops an instance with SIGTERM, then SIGKILL after the grace period, and removes its processes and record. */
export async function stopInstance(
  { appId, live, isAlone }: Stopping,
  deps: EngineDeps,
  signal: AbortSignal,
): Promise<void> {
  const record = live.record();
  if (record.process !== undefined && isProcessAlive(record)) {
    const { pid } = record.process;
    const isGone = await live.whileStopping(
      stopProcessGroup(pid, { graceMs: graceMsOf(record, deps), signal }),
    );
    if (!isGone) throw new EngineFailure('engine-failed', ['The app could not be stopped']);
  }
  // If the exit could not be recorded, killing the leftovers below either fails too or fixes the cause.
  await live.exitRecorded.catch(() => {});
  // A sandbox ends with its first process, so nothing of it can be left over.
  if (!isIsolated(record)) {
    const identity = deps.identities.find(appId);
    const marks = instanceMarks(appId, record);
    await killLeftovers({ identity, marks, isAlone: await isAlone() });
  }
  await killGroup(deps.groups, instanceGroupName(appId, record));
  await removeInstanceRecord(appLayout(deps.dataDir, appId), record.id);
}
