import { endGroup } from '../../processes/end-group.ts';
import { EngineFailure } from '../failure.ts';
import { endInGroup, instanceGroup } from './app-groups.ts';
import type { EngineParts } from './deps.ts';
import { instanceMarks } from './environment.ts';
import { forgetInstance, isProcessAlive } from './instance-record.ts';
import { appLayout } from './layout.ts';
import { endLeftovers } from './leftovers.ts';
import type { LiveInstance } from './live-instance.ts';

export type Stopping = { appId: string; live: LiveInstance; isAlone: boolean };

/** Asks an instance to stop, forces it after the grace, and leaves nothing of it behind. */
export async function stopInstance(
  { appId, live, isAlone }: Stopping,
  parts: EngineParts,
  signal: AbortSignal,
): Promise<void> {
  const record = live.record();
  if (record.process !== undefined && isProcessAlive(record)) {
    const isGone = await endGroup(record.process.pid, { graceMs: parts.limits.graceMs, signal });
    if (!isGone) throw new EngineFailure('engine-failed', ['The app could not be stopped']);
  }
  // When its end could not be recorded, the leftovers below say why, or are gone by now.
  await live.ended.catch(() => {});
  const identity = parts.identities.known(appId);
  await endLeftovers({ identity, marks: instanceMarks(appId, record), isAlone });
  await endInGroup(parts.groups, instanceGroup(appId, record));
  await forgetInstance(appLayout(parts.dataDir, appId), record.id);
}
