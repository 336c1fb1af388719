import { once } from 'node:events';
import { closeSync, openSync, readFileSync, readlinkSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { ControlGroups } from '../processes/control-groups/control-groups.ts';
import { leadsGroup, stopProcessGroup } from '../processes/process-group.ts';
import {
  PIPE_GRACE_MS,
  type RunOptions,
  readLines,
  waitForInterruption,
} from '../processes/run.ts';
import type { ProcessExit } from '../processes/spawn-detached.ts';
import { type GatedProcess, spawnGated } from '../processes/spawn-gated.ts';
import { accountFiles, bubblewrapArgv, bubblewrapOptions } from './bubblewrap-options.ts';
import { shellExit } from './exit-status.ts';
import type { Attachment, Program, SandboxNetwork } from './network/network.ts';
import {
  type DetachedFiles,
  hasOwnNetwork,
  type NetworkAccess,
  type Sandbox,
  type SandboxedCommand,
  SandboxFailed,
  type SandboxOutcome,
  type WaitingProgram,
} from './sandbox.ts';
import { startScript } from './start-script.ts';
import type { SystemView } from './system-view.ts';

export type SandboxParts = {
  groups: ControlGroups;
  network: SandboxNetwork;
  /** The folder with `hosts` and `resolv.conf` of a project, or of programs without a project. */
  namesFolder(projectId: string | undefined): Promise<string>;
  system: SystemView;
  /** Path of the filter for system calls. */
  seccompFile: string;
};

const START_TIMEOUT_MS = 20_000;
const ROOT = { uid: 0, gid: 0 };

type StartOptions = {
  files: DetachedFiles | undefined;
  signal: AbortSignal;
};

export function createSandbox(parts: SandboxParts): Sandbox {
  const { groups, network } = parts;

  async function start(command: SandboxedCommand, { files, signal }: StartOptions) {
    groups.create(command.group, command.limits);
    const gated = await spawnBubblewrap(command, files);
    const exited = exitOf(gated);
    const errors = readErrors(gated);
    const attaching = attach(gated.child.pid, command.network, withTimeout(signal));
    // Reported below, unless something else fails before.
    attaching.catch(() => {});
    try {
      const [attachment, options] = await Promise.all([
        attaching,
        optionsOf(command, files),
        // Before it gets its options and starts other processes, which are then in the group too.
        groups.join(command.group, gated.child.pid),
      ]);
      gated.sendOptions(options);
      // Only from now on: the mounts of an app whose files are copied to its disk take long.
      const limited = withTimeout(signal);
      const pid = parseInfo(await gated.readAll(limited));
      await waitForMounts(pid, limited);
      const script = startScript(command);
      errors.stop();
      const letGo = async () => {
        gated.letGo(script);
        await waitForGroup(pid, exited);
      };
      return { gated, pid, attachment, exited, letGo };
    } catch (error) {
      gated.child.kill('SIGKILL');
      await groups.kill(command.group);
      const attachment = await attaching.catch(() => undefined);
      if (attachment !== undefined) await network.detach(attachment);
      signal.throwIfAborted();
      throw new SandboxFailed(await errors.lines(), { cause: error });
    }
  }

  /** Undefined without a network of its own. */
  async function attach(
    pid: number,
    access: NetworkAccess,
    signal: AbortSignal,
  ): Promise<Attachment | undefined> {
    const program = programOf(access);
    if (program === undefined) return undefined;
    await waitForNetwork(pid, signal);
    return await network.attach(pid, program, signal);
  }

  async function optionsOf(
    command: SandboxedCommand,
    files: DetachedFiles | undefined,
  ): Promise<string> {
    const { network: access } = command;
    const mounts = await command.mounts;
    const projectId = access.kind === 'isolated' ? access.projectId : undefined;
    const namesFolder = hasOwnNetwork(access) ? await parts.namesFolder(projectId) : undefined;
    const options = bubblewrapOptions(
      { ...command, mounts },
      {
        system: parts.system,
        namesFolder,
        groupFolders: groups.folders(command.group),
        endsWithServer: files === undefined,
      },
    );
    return options.map((option) => `${option}\0`).join('');
  }

  async function spawnBubblewrap(
    command: SandboxedCommand,
    files: DetachedFiles | undefined,
  ): Promise<GatedProcess> {
    const { network: access, identity = ROOT, env } = command;
    const accounts = accountFiles(identity, env.HOME ?? '/');
    const seccomp = openSync(parts.seccompFile, 'r');
    const nothing = openSync('/dev/null', 'r+');
    try {
      return await spawnGated({
        argv: bubblewrapArgv(access, identity),
        output: files?.output ?? 'pipe',
        descriptors: [
          'options',
          'read',
          'write',
          { text: accounts.passwd },
          { text: accounts.group },
          seccomp,
          files?.status ?? nothing,
        ],
      });
    } finally {
      closeSync(seccomp);
      closeSync(nothing);
    }
  }

  async function run(command: SandboxedCommand, options: RunOptions): Promise<SandboxOutcome> {
    options.signal.throwIfAborted();
    const started = await start(command, { files: undefined, signal: options.signal });
    const { stdout, stderr } = started.gated.child as { stdout: Readable; stderr: Readable };
    const read = Promise.all([readLines(stdout, options), readLines(stderr, options)]);
    await started.letGo();
    const first = await Promise.race([started.exited, waitForInterruption(options)]);
    if (first === 'interrupted') await stopProcessGroup(started.pid);
    await started.exited;
    await Promise.race([read, delay(PIPE_GRACE_MS)]);
    for (const stream of [stdout, stderr]) stream.destroy();
    const isOutOfMemory = groups.countMemoryKills(command.group) > 0;
    await groups.kill(command.group);
    if (started.attachment !== undefined) await network.detach(started.attachment);
    options.signal.throwIfAborted();
    if (first === 'interrupted') return { kind: 'timed-out' };
    return outcomeOf(first, isOutOfMemory);
  }

  return {
    run,
    async prepare(command, files, signal): Promise<WaitingProgram> {
      const { gated, pid, attachment, exited, letGo } = await start(command, { files, signal });
      gated.child.unref();
      return { pid, attachment, exited, letGo };
    },
    detach: network.detach,
  };
}

/**
 * What Bubblewrap prints until its sandbox is ready. It is read from the beginning, because Node drops what nobody reads when
 * the process exits. Programs that outlive the server print to a file instead.
 */
function readErrors({ child: { stderr } }: GatedProcess) {
  const chunks: Buffer[] = [];
  const keep = (chunk: Buffer) => void chunks.push(chunk);
  stderr?.on('data', keep);
  // An error of the pipe must not end the server.
  const closed = stderr === null ? undefined : once(stderr, 'close').catch(() => {});
  return {
    stop: () => void stderr?.off('data', keep),
    async lines(): Promise<string[]> {
      await Promise.race([closed, delay(PIPE_GRACE_MS)]);
      const text = Buffer.concat(chunks).toString();
      return text.split('\n').filter((line) => line !== '');
    },
  };
}

function programOf(access: NetworkAccess): Program | undefined {
  if (access.kind === 'builder') return { isBuilder: true };
  return access.kind === 'isolated' ? { projectId: access.projectId } : undefined;
}

function withTimeout(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(START_TIMEOUT_MS)]);
}

const CHECK_MS = 1;

/** Rejects if the process has exited. */
async function waitForNetwork(pid: number, signal: AbortSignal): Promise<void> {
  const ofServer = readlinkSync('/proc/self/ns/net');
  while (readlinkSync(`/proc/${pid}/ns/net`) === ofServer) {
    await delay(CHECK_MS, undefined, { signal });
  }
}

/** Bubblewrap makes the root read-only last. Until then it still reads the mounted folders at their paths on the machine. */
async function waitForMounts(pid: number, signal: AbortSignal): Promise<void> {
  while (!hasReadOnlyRoot(readFileSync(`/proc/${pid}/mountinfo`, 'utf8'))) {
    await delay(CHECK_MS, undefined, { signal });
  }
}

/**
 * Bubblewrap starts a session in the first process after it was let go, perhaps much later on a busy machine. A signal that is
 * sent to its process group before reaches nobody.
 */
async function waitForGroup(pid: number, exited: Promise<ProcessExit>): Promise<void> {
  let hasExited = false;
  void exited.then(() => {
    hasExited = true;
  });
  while (!hasExited && !leadsGroup(pid)) await delay(CHECK_MS);
}

/** Fields of a line: id, parent, device, root, mount point, options, …, `-`, type of file system, … */
function hasReadOnlyRoot(mountInfo: string): boolean {
  return /^\d+ \d+ \S+ \S+ \/ ro[, ].* - tmpfs /m.test(mountInfo);
}

const INFO = z.object({ 'child-pid': z.number() });

function parseInfo(text: string): number {
  return INFO.parse(JSON.parse(text))['child-pid'];
}

function exitOf({ child }: GatedProcess): Promise<ProcessExit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) =>
      resolve(code === null ? { code: undefined, signal: signal ?? undefined } : shellExit(code)),
    );
  });
}

function outcomeOf({ code, signal }: ProcessExit, isOutOfMemory: boolean): SandboxOutcome {
  if (code === 0) return { kind: 'exited', code };
  if (isOutOfMemory) return { kind: 'out-of-memory' };
  return signal === undefined ? { kind: 'exited', code: code ?? 0 } : { kind: 'killed', signal };
}
