import { lstat, readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Builder } from '../../../build/buildkit/builder.ts';
import { buildkitdConfig } from '../../../build/buildkit/buildkitd-config.ts';
import { TAR_END, tarEntry } from '../../../build/buildkit/tar.ts';
import type { Attachment, SandboxNetwork } from '../../../sandbox/network/network.ts';
import { EXIT_SIGNALS } from '../../exit-signals.ts';
import { EngineFailure } from '../../failure.ts';
import type { BuilderSlot } from '../../image-build/builders-port.ts';
import {
  answersBuilds,
  BUILDER_PATHS,
  type BuilderMode,
  builderFolder,
  CONFIG_PATH,
  hideTraceSocket,
} from '../../image-build/buildkitd.ts';
import { inspectContainer, removeContainer } from '../containers.ts';
import type { EngineParts } from '../deps.ts';
import { hasStatus } from '../docker-error.ts';
import { ensureNetwork } from '../networks.ts';
import { networkName } from '../ownership.ts';
import { builderConfig, builderName } from './builder-config.ts';
import type { BuilderDisk, BuilderDisks } from './builder-disk.ts';
import { type LoweredBuilder, topGroup } from './builder-priority.ts';
import type { DockerBuilder } from './builders-port.ts';
import { execInContainer } from './exec.ts';
import { findMemoryFile, readMemoryKills } from './memory-kills.ts';

/** What protects others from builders. Without it, builders have an ordinary network and an unlimited volume. */
export type BuilderIsolation = { network: SandboxNetwork; disks: BuilderDisks };

/** buildkitd did not start in this mode. */
export class BuilderNotReady extends Error {
  override readonly name = 'BuilderNotReady';
  /** Otherwise it still runs, but did not answer in time. */
  readonly hasExited: boolean;

  constructor(hasExited: boolean) {
    super(hasExited ? 'The builder exited at once' : 'The builder did not start in time');
    this.hasExited = hasExited;
  }
}

/** The name of the network of builders that are not isolated. */
const PLAIN_NETWORK = 'builders';
/** A start takes a second. On a machine without idle processors it may take a minute. */
const READY_TIMEOUT_MS = 3 * 60_000;
/** How long Docker may take to report that a container has ended. */
const ENDED_MS = 5_000;
const READY_PAUSE_MS = 50;
const NAME_TAKEN = 409;
const never = new AbortController().signal;

export async function startBuilder(
  slot: BuilderSlot,
  mode: BuilderMode,
  isolation: BuilderIsolation | undefined,
  deps: EngineParts,
  signal: AbortSignal,
): Promise<DockerBuilder> {
  const name = builderName(deps.owner, slot);
  await removeContainer(name, deps, signal);
  const disk = await isolation?.disks.open(slot, signal);
  let id: string;
  try {
    id = await create({ slot, mode, isolation, disk }, deps, signal);
  } catch (error) {
    if (hasStatus(error, NAME_TAKEN)) {
      await disk?.release();
      throw new EngineFailure('engine-failed', [], { cause: error });
    }
    // It may exist already.
    await removeContainer(name, deps, never).catch(deps.logError);
    await disk?.release();
    throw error;
  }
  let attachment: Attachment | undefined;
  let priority: LoweredBuilder | undefined;
  const stop = async () => {
    priority?.end();
    try {
      await removeContainer(id, deps, never);
    } finally {
      // Also when Docker is down: the network must not stay open.
      if (attachment !== undefined) await isolation?.network.detach(attachment);
    }
  };
  try {
    await deps.docker.call('POST', `/containers/${id}/start`, { signal });
    await disk?.release();
    const pid = await pidOf(id, deps, signal);
    if (isolation !== undefined) {
      await checkProcess(pid, id);
      priority = await deps.builderPriority.lower(pid);
      attachment = await isolation.network.attach(pid, { isBuilder: true }, signal);
    }
    const memoryFile = await findMemoryFile(pid);
    const { socket } = BUILDER_PATHS[mode];
    const builder: Builder = {
      folder: builderFolder(mode),
      start: (command, commandSignal) => execInContainer(id, command, deps, commandSignal),
    };
    // Without isolation, the engine may be on another machine.
    const hasSocket = async () => isolation === undefined || (await mayExist(pid, socket));
    await waitUntilReady({ id, builder, hasSocket, mode }, deps, signal);
    return {
      builder,
      containerId: id,
      lowerPriority: async (processId) => await priority?.join(processId),
      async memoryKills(checkSignal) {
        const count = await readMemoryKills(memoryFile);
        if (count !== undefined) return count;
        // The container has ended, and Docker may report that later.
        if (memoryFile !== undefined) await ended(id, deps, checkSignal).catch(() => {});
        return await killsOfContainer(id, deps, checkSignal);
      },
      stop,
      isRunning: async (checkSignal) =>
        (await inspectContainer(id, deps, checkSignal))?.State.Running ?? false,
    };
  } catch (error) {
    // Whatever failed because it had exited.
    const container = await inspectContainer(id, deps, never).catch(() => undefined);
    const hasExited = container?.State.Status === 'exited';
    await stop().catch(deps.logError);
    await disk?.release().catch(() => {});
    throw hasExited && !signal.aborted ? new BuilderNotReady(true) : error;
  }
}

/** The kernel removes its count together with the container. More than before, however many programs it had ended in it. */
async function killsOfContainer(id: string, deps: EngineParts, signal: AbortSignal) {
  const state = (await inspectContainer(id, deps, signal))?.State;
  const wasKilled = state?.OOMKilled === true || EXIT_SIGNALS[state?.ExitCode ?? 0] === 'SIGKILL';
  return wasKilled ? Number.MAX_SAFE_INTEGER : 0;
}

async function create(
  options: {
    slot: BuilderSlot;
    mode: BuilderMode;
    isolation: BuilderIsolation | undefined;
    disk: BuilderDisk | undefined;
  },
  deps: EngineParts,
  signal: AbortSignal,
): Promise<string> {
  const { slot, mode, isolation, disk } = options;
  const { docker, owner, limits, builderImage } = deps;
  const name = builderName(owner, slot);
  const nameservers = isolation?.network.resolvers.nameservers ?? [];
  if (isolation === undefined) await ensureNetwork({ projectId: PLAIN_NETWORK }, deps, signal);
  const config = builderConfig(
    {
      image: builderImage,
      mode,
      network: {
        mode: isolation === undefined ? networkName(owner, PLAIN_NETWORK) : 'none',
        nameservers,
      },
      cache: disk?.cache ?? { volume: name },
      limits: { memoryBytes: limits.buildMemoryBytes, cpus: limits.buildCpus },
      group: isolation && (await findGroup(deps, signal)),
    },
    owner,
  );
  // Not aborted: Docker would create it nevertheless, and nobody would remove it.
  const { Id } = await docker.call<{ Id: string }>('POST', '/containers/create', {
    query: { name },
    body: config,
    signal: never,
  });
  const text = buildkitdConfig({
    diskBytes: limits.builderDiskBytes,
    parallelism: limits.buildSteps,
    nameservers,
    registries: deps.registries,
    ...(isolation === undefined
      ? {}
      : { forwarders: deps.forwarders.addressesAt(isolation.network.gateway) }),
  });
  await docker.call('PUT', `/containers/${Id}/archive`, {
    query: { path: '/' },
    headers: { 'content-type': 'application/x-tar' },
    stream: Readable.from([...tarEntry(CONFIG_PATH.slice(1), Buffer.from(text)), TAR_END]),
    signal,
  });
  return Id;
}

async function findGroup({ docker }: EngineParts, signal: AbortSignal): Promise<string> {
  const { CgroupDriver } = await docker.call<{ CgroupDriver: string }>('GET', '/info', { signal });
  return topGroup(CgroupDriver);
}

async function pidOf(id: string, deps: EngineParts, signal: AbortSignal): Promise<number> {
  const container = await inspectContainer(id, deps, signal);
  if (container === undefined || !container.State.Running) throw new BuilderNotReady(true);
  return container.State.Pid;
}

/** A server in a container sees other process ids than the engine, and would connect the network of another program. */
async function checkProcess(pid: number, id: string): Promise<void> {
  const groups = await readFile(`/proc/${pid}/cgroup`, 'utf8').catch(() => '');
  if (groups.includes(id)) return;
  throw new Error(
    'The Docker Engine has other process ids than this server: start it with the process ids of the machine',
  );
}

/** Whether a file exists in a container, or cannot be looked for. */
async function mayExist(pid: number, path: string): Promise<boolean> {
  return await lstat(`/proc/${pid}/root${path}`).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  );
}

type StartingBuilder = {
  id: string;
  builder: Builder;
  hasSocket(): Promise<boolean>;
  mode: BuilderMode;
};

/** Every call has the deadline: an engine that stops responding must not block the builder's place. */
async function waitUntilReady(
  { id, builder, hasSocket, mode }: StartingBuilder,
  deps: EngineParts,
  signal: AbortSignal,
): Promise<void> {
  const deadline = AbortSignal.timeout(READY_TIMEOUT_MS);
  const settled = new AbortController();
  const bounded = AbortSignal.any([signal, deadline, settled.signal]);
  const getReady = async () => {
    await waitUntilAnswers({ hasSocket, answers: () => answers(builder, bounded) }, bounded);
    await hideTraceSocket(builder, mode, bounded);
  };
  try {
    await Promise.race([getReady(), failOnExit(id, deps, bounded)]);
  } catch (error) {
    signal.throwIfAborted();
    throw deadline.aborted ? new BuilderNotReady(false) : error;
  } finally {
    settled.abort();
  }
}

/** Asks it only when its socket exists: to ask, the engine starts a program, which takes CPU time from apps. */
export async function waitUntilAnswers(
  { hasSocket, answers }: { hasSocket(): Promise<boolean>; answers(): Promise<boolean> },
  signal: AbortSignal,
): Promise<void> {
  while (!((await hasSocket()) && (await answers()))) {
    await delay(READY_PAUSE_MS, undefined, { signal });
  }
}

async function ended(id: string, { docker }: EngineParts, signal: AbortSignal): Promise<void> {
  await docker.call('POST', `/containers/${id}/wait`, { signal, timeoutMs: ENDED_MS });
}

/** At once, also when a program that was started in it still seems to run. */
async function failOnExit(id: string, { docker }: EngineParts, signal: AbortSignal): Promise<void> {
  const timeoutMs = READY_TIMEOUT_MS;
  await docker.call('POST', `/containers/${id}/wait`, { signal, timeoutMs });
  throw new BuilderNotReady(true);
}

async function answers(builder: Builder, signal: AbortSignal): Promise<boolean> {
  try {
    return await answersBuilds(builder, signal);
  } catch (error) {
    // 409: the container has exited.
    if (hasStatus(error, 404, 409)) return false;
    throw error;
  }
}
