import { type FileHandle, open } from 'node:fs/promises';
import { fillVariables } from '../../build/command-line.ts';
import { createAlivePipe, openAlivePipe } from '../../processes/alive-pipe.ts';
import type { Command } from '../../processes/command.ts';
import { confineArgv } from '../../processes/confine.ts';
import { findMatching } from '../../processes/kill-matching.ts';
import { findProcess, readBootId } from '../../processes/process-table.ts';
import { spawnDetached } from '../../processes/spawn-detached.ts';
import type { ReleaseSpec } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { instanceGroupName, killGroup } from './app-control-groups.ts';
import { prepareApp } from './app-folders.ts';
import type { EngineDeps } from './deps.ts';
import { instanceEnvironment, instanceMarks } from './environment.ts';
import {
  type InstanceRecord,
  nextInstanceId,
  removeInstanceRecord,
  writeInstanceRecord,
} from './instance-record.ts';
import { appLayout } from './layout.ts';
import { killLeftovers, type Leftovers, selectLeftovers } from './leftovers.ts';
import { processLimits } from './process-limits.ts';
import { type ReleaseRecord, readReleaseRecord, releaseFolder } from './release-record.ts';
import { type SupervisedInstance, superviseInstance } from './supervised-instance.ts';

/** For all processes of the app's user: two instances during a switch-over, and a build. */
const MAX_USER_PROCESSES = 512;

/** Starts one instance. The record is written before the spawn, so that no process exists without a record. */
export async function startInstance(
  spec: ReleaseSpec,
  port: number,
  deps: EngineDeps,
  { changed, signal }: { changed: (appId: string) => void; signal: AbortSignal },
): Promise<SupervisedInstance> {
  const { appId } = spec;
  const layout = appLayout(deps.dataDir, appId);
  const release = await readReleaseRecord(layout, spec.number);
  if (release === undefined) {
    throw new EngineFailure('engine-failed', [`Release ${spec.number} is not built`]);
  }
  const identity = await prepareApp(appId, deps);
  const id = await nextInstanceId(layout);
  const record = { id, release: spec.number, port, startedAt: deps.clock.now() };
  await writeInstanceRecord(layout, record);
  try {
    await createAlivePipe(layout.instance(id).alive, signal);
    const group = instanceGroupName(appId, record);
    deps.groups?.create(group, deps.limits.instance);
    const command: Command = {
      ...startCommand(spec, record, release, deps),
      identity,
      onSpawned: (pid) => deps.groups?.addProcess(group, pid),
    };
    const spawned = await spawnAndRecord(command, appId, record, deps);
    addStrayProcesses(
      group,
      { identity, marks: instanceMarks(appId, record), isAlone: false },
      deps,
    );
    return await superviseInstance({ appId, ...spawned, stopWatching() {} }, deps, changed);
  } catch (error) {
    await killLeftovers({ identity, marks: instanceMarks(appId, record), isAlone: false });
    await killGroup(deps.groups, instanceGroupName(appId, record));
    await removeInstanceRecord(layout, id);
    signal.throwIfAborted();
    throw new EngineFailure('engine-failed', ['The app could not be started'], { cause: error });
  }
}

/** A fast program may have started children before it was added to its control group. */
function addStrayProcesses(group: string, leftovers: Leftovers, { groups }: EngineDeps): void {
  if (groups === undefined) return;
  const members = new Set(groups.members(group));
  const outside = findMatching(selectLeftovers(leftovers)).filter(({ pid }) => !members.has(pid));
  for (const { pid } of outside) groups.addProcess(group, pid);
}

async function spawnAndRecord(
  command: Command,
  appId: string,
  record: InstanceRecord,
  deps: EngineDeps,
) {
  const layout = appLayout(deps.dataDir, appId);
  const { output: path, alive: pipe } = layout.instance(record.id);
  const output = await openOutput(path, command);
  const alive = openAlivePipe(pipe);
  try {
    const { pid, exited } = await spawnDetached(command, output.fd, [alive.fd]);
    // It is not reaped yet, so the process table has it even if it exited at once.
    const startTime = findProcess(pid)?.startTime ?? '';
    const started = { ...record, process: { pid, startTime, bootId: readBootId() } };
    await writeInstanceRecord(layout, started);
    return { record: started, exited };
  } finally {
    alive.close();
    await output.close();
  }
}

/** Owned by the user of the app, so that programs can open /dev/stdout. */
async function openOutput(path: string, { identity }: Command): Promise<FileHandle> {
  const output = await open(path, 'a', 0o600);
  if (identity !== undefined) await output.chown(identity.uid, identity.gid);
  return output;
}

function startCommand(
  spec: ReleaseSpec,
  record: InstanceRecord,
  release: ReleaseRecord,
  deps: EngineDeps,
): Command {
  const { start } = release;
  const layout = appLayout(deps.dataDir, spec.appId);
  const folder = releaseFolder(layout, release);
  const { home, temporary } = layout;
  const path = start.kind === 'command' ? start.path : [];
  const environmentOptions = {
    home,
    temporary,
    folder,
    path,
    binDir: deps.toolchain.binDir,
    env: spec.env,
  };
  const env = instanceEnvironment(environmentOptions, {
    port: record.port,
    startEnv: start.kind === 'command' ? start.env : {},
    marks: instanceMarks(spec.appId, record),
  });
  const argv: Command['argv'] =
    start.kind === 'command'
      ? fillVariables(start.argv, env)
      : [
          deps.toolchain.nodePath,
          deps.staticServer,
          start.folder,
          String(record.port),
          '127.0.0.1',
        ];
  const isShared = deps.identities.find(spec.appId) === undefined;
  const shared = processLimits(deps.limits.instance, deps.groups);
  const limits = isShared ? shared : { ...shared, processes: MAX_USER_PROCESSES };
  return {
    argv: confineArgv(argv, limits, deps.confinement),
    cwd: folder,
    env,
  };
}
