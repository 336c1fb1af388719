import { mainPort } from '@longshore/contract';
import type { ReleaseSpec } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { findFreePort } from '../free-port.ts';
import { instanceGroupName, killGroup } from './app-control-groups.ts';
import { prepareApp } from './app-files.ts';
import type { EngineDeps } from './deps.ts';
import { instanceMarks } from './environment.ts';
import {
  NO_PORT,
  nextInstanceId,
  removeInstanceRecord,
  writeInstanceRecord,
} from './instance-record.ts';
import { launchIsolated } from './launch-isolated.ts';
import { launchPlain } from './launch-plain.ts';
import { appLayout } from './layout.ts';
import { killLeftovers } from './leftovers.ts';
import { readReleaseRecord } from './release-record.ts';
import { type SupervisedInstance, superviseInstance } from './supervised-instance.ts';

export type StartOptions = {
  /** Ports that no instance without a network of its own may get. */
  assignedPorts(): Promise<ReadonlySet<number>>;
  changed: (appId: string) => void;
  signal: AbortSignal;
};

/** Starts one instance. The record is written before the spawn, so that no process exists without a record. */
export async function startInstance(
  spec: ReleaseSpec,
  deps: EngineDeps,
  { assignedPorts, changed, signal }: StartOptions,
): Promise<SupervisedInstance> {
  const { appId } = spec;
  const { isolated } = deps;
  const layout = appLayout(deps.dataDir, appId);
  const release = await readReleaseRecord(layout, spec.number, deps);
  if (release === undefined) {
    throw new EngineFailure('engine-failed', [`Release ${spec.number} is not built`]);
  }
  const identity = await prepareApp(appId, deps);
  const id = await nextInstanceId(layout);
  const main = mainPort(spec.ports);
  const hasFreePort = isolated === undefined && spec.process === undefined;
  const port = hasFreePort ? await findFreePort(await assignedPorts()) : (main ?? NO_PORT);
  const { projectId, name, process: processType } = spec;
  const { stopGraceSeconds } = spec.run ?? {};
  const record = {
    id,
    release: spec.number,
    ...(processType === undefined ? {} : { processType }),
    port,
    startedAt: deps.clock.now(),
    ...(isolated === undefined ? {} : { networkAlias: { projectId, name } }),
    ...(stopGraceSeconds === undefined ? {} : { stopGraceSeconds }),
  };
  await writeInstanceRecord(layout, record);
  try {
    const launch = { spec, record, release, identity, deps, signal };
    const launched =
      isolated === undefined
        ? await launchPlain(launch)
        : await launchIsolated(launch, isolated, main);
    return await superviseInstance({ appId, ...launched, stopWatching() {} }, deps, changed);
  } catch (error) {
    await killLeftovers({ identity, marks: instanceMarks(appId, record), isAlone: false });
    await killGroup(deps.groups, instanceGroupName(appId, record));
    await removeInstanceRecord(layout, id);
    signal.throwIfAborted();
    if (error instanceof EngineFailure) throw error;
    throw new EngineFailure('engine-failed', ['The app could not be started'], { cause: error });
  }
}
