import { stopProcessGroup } from '../../processes/process-group.ts';
import { EngineFailure } from '../failure.ts';
import { instanceGroupName, killGroup } from './app-control-groups.ts';
import type { EngineDeps } from './deps.ts';
import { instanceMarks } from './environment.ts';
import { isProcessAlive, removeInstanceRecord } from './instance-record.ts';
import { appLayout } from './layout.ts';
import { killLeftovers } from './leftovers.ts';
import type { SupervisedInstance } from './supervised-instance.ts';

export type Stopping = { appId: string; live: SupervisedInstance; isAlone: boolean };

/** Asks an instance to stop, forces it after the grace, and leaves nothing of it behind. */
export async function stopInstance(
  { appId, live, isAlone }: Stopping,
  parts: EngineDeps,
  signal: AbortSignal,
): Promise<void> {
  const record = live.record();
  if (record.process !== undefined && isProcessAlive(record)) {
    const isGone = await stopProcessGroup(record.process.pid, {
      graceMs: parts.limits.graceMs,
      signal,
    });
    if (!isGone) throw new EngineFailure('engine-failed', ['The app could not be stopped']);
  }
  // When its end could not be recorded, the leftovers below writeLine why, or are gone by now.
  await live.exitRecorded.catch(() => {});
  const identity = parts.identities.find(appId);
  await killLeftovers({ identity, marks: instanceMarks(appId, record), isAlone });
  await killGroup(parts.groups, instanceGroupName(appId, record));
  await removeInstanceRecord(appLayout(parts.dataDir, appId), record.id);
}
