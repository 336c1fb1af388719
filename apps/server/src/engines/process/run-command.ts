import { existsSync, readdirSync } from 'node:fs';
import { mainPort } from '@longshore/contract';
import type { Identity } from '../../processes/identity.ts';
import { run } from '../../processes/run.ts';
import type { SandboxOutcome } from '../../sandbox/sandbox.ts';
import type { CommandEnd } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { COMMAND_NOT_FOUND, type CommandRequest, withStartCommand } from '../running-commands.ts';
import { commandGroupName, killGroup } from './app-control-groups.ts';
import {
  type AppFiles,
  createTemporary,
  openFiles,
  prepareApp,
  removeTemporary,
} from './app-files.ts';
import type { EngineDeps } from './deps.ts';
import { blameAppDisk } from './disk-space.ts';
import { commandMarks } from './environment.ts';
import { appProgram, type InstanceView } from './launch.ts';
import { ALL_ADDRESSES } from './launch-isolated.ts';
import { appLayout } from './layout.ts';
import { killLeftovers } from './leftovers.ts';
import { folderNumber, type ReleaseRecord, readReleaseRecord } from './release-record.ts';
import { APP_LINKS, appMounts, SANDBOX } from './sandbox-view.ts';

const TEMPORARY_PREFIX = 'command-';

export type ProcessCommandRequest = CommandRequest & {
  /** Ids of all commands of the app that run, with this one. */
  runningIds(): string[];
};

type CommandContext = ProcessCommandRequest & {
  release: ReleaseRecord;
  identity: Identity | undefined;
  files: AppFiles;
  deps: EngineDeps;
  signal: AbortSignal;
};

/** Runs a command as the user of the app, in a sandbox where there is one. Unlike an instance it ends with the server. */
export async function runCommand(
  request: ProcessCommandRequest,
  deps: EngineDeps,
  signal: AbortSignal,
): Promise<CommandEnd> {
  const { spec } = request;
  const release = await readReleaseRecord(appLayout(deps.dataDir, spec.appId), spec.number, deps);
  if (release === undefined) {
    throw new EngineFailure('engine-failed', [`Release ${spec.number} is not built`]);
  }
  const identity = await prepareApp(spec.appId, deps);
  deps.isolated?.guard.checkApp(spec.appId);
  const files = await openFiles(spec.appId, deps, signal);
  try {
    return await runInFiles({ ...request, release, identity, files, deps, signal });
  } catch (error) {
    throw await blameAppDisk(error, deps);
  } finally {
    await files.close();
  }
}

async function runInFiles(context: CommandContext): Promise<CommandEnd> {
  const { spec, command, identity, deps } = context;
  await removeOldTemporaries(context, [command.id]);
  try {
    return toCommandEnd(
      deps.isolated === undefined ? await runPlain(context) : await runIsolated(context),
    );
  } finally {
    const marks = commandMarks(spec.appId, command.id);
    await killLeftovers({ identity, marks, isAlone: false });
    await killGroup(deps.groups, commandGroupName(spec.appId, command.id));
    await removeOldTemporaries(context, []);
  }
}

async function runIsolated(context: CommandContext): Promise<SandboxOutcome> {
  const { spec, command, release, identity, files, deps, signal } = context;
  const { isolated } = deps;
  if (isolated === undefined) throw new Error('Apps are not isolated');
  const folder = files.release(folderNumber(release));
  if (!existsSync(folder)) {
    throw new EngineFailure('engine-failed', ['The files of the release are missing']);
  }
  await isolated.names.add(spec);
  const root = release.root ?? appLayout(deps.dataDir, spec.appId).release(folderNumber(release));
  const temporary = createTemporary(files, TEMPORARY_PREFIX + command.id, identity);
  const sandboxed = {
    ...programOf(context, { ...SANDBOX, release: root, host: ALL_ADDRESSES }),
    mounts: appMounts({ release: folder, home: files.home, temporary }, root, deps),
    links: APP_LINKS,
    network: { kind: 'isolated', projectId: spec.projectId } as const,
    group: commandGroupName(spec.appId, command.id),
    limits: spec.size,
  };
  return await isolated.sandbox.run(sandboxed, runOptions(context, signal));
}

async function runPlain(context: CommandContext): Promise<SandboxOutcome> {
  const { spec, command, release, files, deps, signal } = context;
  const { groups, toolchain, staticServer } = deps;
  const group = commandGroupName(spec.appId, command.id);
  groups?.create(group, spec.size);
  const program = programOf(context, {
    release: files.release(folderNumber(release)),
    home: files.home,
    temporary: files.temporary(TEMPORARY_PREFIX),
    binDir: toolchain.binDir,
    nodePath: toolchain.nodePath,
    staticServer,
    host: '127.0.0.1',
  });
  const onSpawned = (pid: number) => groups?.addProcess(group, pid);
  const end = await run({ ...program, onSpawned }, runOptions(context, signal));
  const isFailed = end.kind !== 'exited' || end.code !== 0;
  const isOutOfMemory = isFailed && (groups?.countMemoryKills(group) ?? 0) > 0;
  return isOutOfMemory ? { kind: 'out-of-memory' } : end;
}

function programOf(context: CommandContext, view: Omit<InstanceView, 'port'>) {
  const { spec, command } = context;
  const started = { ...context, spec: withStartCommand(spec, command) };
  const port = mainPort(spec.ports);
  return appProgram(started, { ...view, port }, commandMarks(spec.appId, command.id));
}

function runOptions({ spec, command, deps }: CommandContext, signal: AbortSignal) {
  const { timeoutMs, logName } = command;
  const onLine = (line: string) => deps.logs.append(spec.appId, logName, line);
  return { signal, timeoutMs, onLine };
}

/** Removes the temporary files of commands that do not run, also of an earlier server. */
async function removeOldTemporaries(
  { files, deps, command, runningIds }: CommandContext,
  kept: string[],
): Promise<void> {
  if (deps.isolated === undefined) return;
  const others = runningIds().filter((id) => id !== command.id);
  const used = [...others, ...kept].map((id) => TEMPORARY_PREFIX + id);
  const names = readdirSync(files.temporary('.'));
  for (const name of names.filter((it) => it.startsWith(TEMPORARY_PREFIX) && !used.includes(it))) {
    await removeTemporary(files, name, new AbortController().signal);
  }
}

function toCommandEnd(end: SandboxOutcome): CommandEnd {
  switch (end.kind) {
    case 'exited':
      return { kind: 'exited', exit: { code: end.code, signal: undefined } };
    case 'killed':
      return { kind: 'exited', exit: { code: undefined, signal: end.signal } };
    case 'missing':
      return { kind: 'exited', exit: { code: COMMAND_NOT_FOUND, signal: undefined } };
    case 'out-of-memory':
      return {
        kind: 'exited',
        exit: { code: undefined, signal: 'SIGKILL', isOutOfMemory: true },
      };
    case 'timed-out':
      return { kind: 'timed-out' };
  }
}
