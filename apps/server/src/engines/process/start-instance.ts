import { type FileHandle, open } from 'node:fs/promises';
import { filledIn } from '../../build/command-line.ts';
import { makeAlivePipe, openAlivePipe } from '../../processes/alive-pipe.ts';
import type { Command } from '../../processes/command.ts';
import { confined } from '../../processes/confine.ts';
import { bootId, sightingOf } from '../../processes/process-table.ts';
import { spawnDetached } from '../../processes/spawn-detached.ts';
import { targeted } from '../../processes/sweep.ts';
import type { ReleaseSpec } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { prepareApp } from './app-folders.ts';
import { endInGroup, instanceGroup } from './app-groups.ts';
import type { EngineParts } from './deps.ts';
import { instanceEnvironment, instanceMarks } from './environment.ts';
import {
  forgetInstance,
  type InstanceRecord,
  nextInstanceId,
  writeInstance,
} from './instance-record.ts';
import { appLayout } from './layout.ts';
import { endLeftovers, type Leftovers, targetOf } from './leftovers.ts';
import { type LiveInstance, lookAfter } from './live-instance.ts';
import { type ReleaseRecord, readRelease, releaseFolder } from './release-record.ts';
import { rlimitsOf } from './rlimits.ts';

/** Counted for all that runs as the app's user: two instances while one takes the place of the other, and a build. */
const USER_PROCESSES = 512;

/** Starts one instance. The record is there before the process, so that no process is ever without one. */
export async function startInstance(
  spec: ReleaseSpec,
  port: number,
  parts: EngineParts,
  { changed, signal }: { changed: (appId: string) => void; signal: AbortSignal },
): Promise<LiveInstance> {
  const { appId } = spec;
  const layout = appLayout(parts.dataDir, appId);
  const release = await readRelease(layout, spec.number);
  if (release === undefined) {
    throw new EngineFailure('engine-failed', [`Release ${spec.number} is not built`]);
  }
  const identity = await prepareApp(appId, parts);
  const id = await nextInstanceId(layout);
  const record = { id, release: spec.number, port, startedAt: parts.clock.now() };
  await writeInstance(layout, record);
  try {
    await makeAlivePipe(layout.instance(id).alive, signal);
    const group = instanceGroup(appId, record);
    parts.groups?.make(group, parts.limits.instance);
    const begun = (pid: number) => parts.groups?.enter(group, pid);
    const command = { ...commandOf(spec, record, release, parts), identity, begun };
    const spawned = await spawnRecorded(command, appId, record, parts);
    gatherIn(group, { identity, marks: instanceMarks(appId, record), isAlone: false }, parts);
    return await lookAfter({ appId, ...spawned, stopWatching() {} }, parts, changed);
  } catch (error) {
    await endLeftovers({ identity, marks: instanceMarks(appId, record), isAlone: false });
    await endInGroup(parts.groups, instanceGroup(appId, record));
    await forgetInstance(layout, id);
    signal.throwIfAborted();
    throw new EngineFailure('engine-failed', ['The app could not be started'], { cause: error });
  }
}

/** A quick program on a busy machine may have started others before it was put into its group. */
function gatherIn(group: string, leftovers: Leftovers, { groups }: EngineParts): void {
  if (groups === undefined) return;
  const members = new Set(groups.members(group));
  const outside = targeted(targetOf(leftovers)).filter(({ pid }) => !members.has(pid));
  for (const { pid } of outside) groups.enter(group, pid);
}

async function spawnRecorded(
  command: Command,
  appId: string,
  record: InstanceRecord,
  parts: EngineParts,
) {
  const layout = appLayout(parts.dataDir, appId);
  const { output: path, alive: pipe } = layout.instance(record.id);
  const output = await openOutput(path, command);
  const alive = openAlivePipe(pipe);
  try {
    const { pid, ended } = await spawnDetached(command, output.fd, [alive.fd]);
    // Nobody has reaped it yet, so the table knows it even when it ended at once.
    const startTime = sightingOf(pid)?.startTime ?? '';
    const started = { ...record, process: { pid, startTime, bootId: bootId() } };
    await writeInstance(layout, started);
    return { record: started, gone: ended };
  } finally {
    alive.close();
    await output.close();
  }
}

/** The app's own file, so that programs which open /dev/stdout again may do so. */
async function openOutput(path: string, { identity }: Command): Promise<FileHandle> {
  const output = await open(path, 'a', 0o600);
  if (identity !== undefined) await output.chown(identity.uid, identity.gid);
  return output;
}

function commandOf(
  spec: ReleaseSpec,
  record: InstanceRecord,
  release: ReleaseRecord,
  parts: EngineParts,
): Command {
  const { start } = release;
  const layout = appLayout(parts.dataDir, spec.appId);
  const folder = releaseFolder(layout, release);
  const { home, temporary } = layout;
  const path = start.kind === 'command' ? start.path : [];
  const place = { home, temporary, folder, path, binDir: parts.toolchain.binDir, env: spec.env };
  const env = instanceEnvironment(place, {
    port: record.port,
    startEnv: start.kind === 'command' ? start.env : {},
    marks: instanceMarks(spec.appId, record),
  });
  const argv: Command['argv'] =
    start.kind === 'command'
      ? filledIn(start.argv, env)
      : [
          parts.toolchain.nodePath,
          parts.staticServer,
          start.folder,
          String(record.port),
          '127.0.0.1',
        ];
  const isShared = parts.identities.known(spec.appId) === undefined;
  const shared = rlimitsOf(parts.limits.instance, parts.groups);
  const limits = isShared ? shared : { ...shared, processes: USER_PROCESSES };
  return {
    argv: confined(argv, limits, parts.confinement),
    cwd: folder,
    env,
  };
}
