import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ControlGroupVersion } from '../../processes/control-groups/control-group-files.ts';
import {
  type GroupFolders,
  parseCpuSeconds,
  parseMemoryBytes,
  usageFiles,
} from '../../processes/control-groups/group-usage.ts';
import { parseNetworkDevices, sumOfDevices } from '../../processes/network-counters.ts';
import type { InstanceUsage } from '../engine.ts';
import { type Container, instanceNameOf, type ListedContainer } from './container.ts';
import { inspectContainer } from './containers.ts';
import type { DockerDeps } from './deps.ts';
import { createDiskMeter } from './disk-meter.ts';
import { LABELS, labelFilter } from './ownership.ts';
import { measureWrittenFiles } from './written-files.ts';

type UsageDeps = Pick<DockerDeps, 'docker' | 'owner' | 'clock' | 'logError'>;

const ROOT = '/sys/fs/cgroup';

/**
 * Reads the files of the kernel: Docker's own statistics take two seconds and much more CPU time for each container. Docker is asked
 * for the list of containers, and for each of them once. Of containers on another machine nothing is known.
 */
export function createContainerUsage(deps: UsageDeps, closing: AbortSignal) {
  const known = new Map<string, Container>();
  const disks = createDiskMeter<Container>({
    measure: async (container) => (await measureWrittenFiles([container], closing))?.bytes,
    clock: deps.clock,
    logError: (error) => closing.aborted || deps.logError(error),
  });

  /** Docker restarts a container with another process. */
  async function inspected(id: string, signal: AbortSignal) {
    const before = known.get(id);
    const groups = before && (await groupsOf(before));
    if (before !== undefined && groups !== undefined) return { container: before, groups };
    const container = await inspectContainer(id, deps, signal);
    if (container === undefined) return undefined;
    known.set(id, container);
    return { container, groups: await groupsOf(container) };
  }

  async function usageOf(listed: ListedContainer, signal: AbortSignal): Promise<InstanceUsage> {
    const { [LABELS.app]: appId = '' } = listed.Labels;
    const instanceId = instanceNameOf(listed.Labels);
    const found = await inspected(listed.Id, signal);
    if (found?.groups === undefined) return { appId, instanceId };
    const network = await readNetwork(found.container.State.Pid);
    return {
      appId,
      instanceId,
      ...(await readGroups(found.groups)),
      networkReceivedBytes: network?.receivedBytes,
      networkSentBytes: network?.sentBytes,
      diskBytes: disks.bytesOf(listed.Id),
    };
  }

  return async (signal: AbortSignal): Promise<InstanceUsage[]> => {
    const listed = await listRunning(deps, signal);
    const ids = new Set(listed.map(({ Id }) => Id));
    for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
    const usages = await Promise.all(listed.map((container) => usageOf(container, signal)));
    disks.measureNext(known);
    return usages;
  };
}

async function listRunning(
  { docker, owner }: Pick<DockerDeps, 'docker' | 'owner'>,
  signal: AbortSignal,
): Promise<ListedContainer[]> {
  const filters = labelFilter(owner, {}, { status: ['running'] });
  const query = { filters };
  const listed = await docker.call<ListedContainer[]>('GET', '/containers/json', { query, signal });
  // Builders have no instance.
  return listed.filter(({ Labels }) => Labels[LABELS.instance] !== undefined);
}

/** Undefined if the process is not the one of the container: it has ended, or runs on another machine. */
async function groupsOf({ Id, State }: Container): Promise<VersionedFolders | undefined> {
  const text = await readOrEmpty(`/proc/${State.Pid}/cgroup`);
  return text.includes(Id) ? groupFolders(text) : undefined;
}

type VersionedFolders = GroupFolders & { version: ControlGroupVersion };

/** `groups`: the content of /proc/<pid>/cgroup. */
export function groupFolders(
  groups: string,
  isUnified = existsSync(join(ROOT, 'cgroup.controllers')),
): VersionedFolders | undefined {
  const folders = new Map<string, string>();
  for (const line of groups.split('\n')) {
    const [, controllers, path] = /^\d+:([^:]*):(\/.+)$/.exec(line) ?? [];
    if (controllers === undefined || path === undefined) continue;
    for (const name of controllers.split(',')) folders.set(name, join(ROOT, name, path));
  }
  const [unified, memory, cpu] = ['', 'memory', 'cpuacct'].map((name) => folders.get(name));
  if (isUnified)
    return unified === undefined ? undefined : { version: 2, memory: unified, cpu: unified };
  return memory === undefined ? undefined : { version: 1, memory, cpu };
}

async function readGroups({ version, ...folders }: VersionedFolders) {
  const files = usageFiles(version, folders);
  const [cpu, memory, stat] = await Promise.all(
    [files.cpu, files.memory, files.memoryStat].map(readOrEmpty),
  );
  return {
    cpuSeconds: parseCpuSeconds(version, cpu ?? ''),
    memoryBytes: parseMemoryBytes(memory ?? '', stat ?? ''),
  };
}

async function readNetwork(pid: number) {
  return sumOfDevices(parseNetworkDevices(await readOrEmpty(`/proc/${pid}/net/dev`)));
}

async function readOrEmpty(path: string | undefined): Promise<string> {
  return path === undefined ? '' : await readFile(path, 'utf8').catch(() => '');
}
