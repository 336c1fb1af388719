import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  CONTROLLERS,
  type ControlGroupVersion,
  type Controller,
  limitFiles,
  memoryEventsFile,
  parseMemoryKills,
  parsePids,
  type ResourceLimits,
} from './control-group-files.ts';
import { type GroupUsage, parseCpuSeconds, parseMemoryBytes, usageFiles } from './group-usage.ts';

/** Control groups of the kernel, below one parent group. A process stays in its group, and so do its children. */
export type ControlGroups = {
  /** Creates a group, or sets the limits of an existing one. */
  create(name: string, limits: ResourceLimits): void;
  /** Adds a process. Ignores a process that has exited already. */
  addProcess(name: string, pid: number): void;
  /** The same without blocking the server: the kernel may take milliseconds. */
  join(name: string, pid: number): Promise<void>;
  members(name: string): number[];
  /** The folders of a group, one for each tree. */
  folders(name: string): string[];
  /** The number of its processes that the kernel killed for lack of memory. */
  countMemoryKills(name: string): number;
  /** What its processes have used and use now, without what this machine does not count. */
  usage(name: string): GroupUsage;
  /** Removes the group if it has no processes. Returns whether it is gone. */
  removeIfEmpty(name: string): boolean;
  /** Kills all processes of the group and removes it. Returns whether it is gone. */
  kill(name: string): Promise<boolean>;
  list(): string[];
  /** Removes the parent group if it is empty. */
  close(): void;
};

export type ControlGroupTree = {
  version: ControlGroupVersion;
  /** The folder of the parent group in the tree of each controller. */
  folders: Record<Controller, string>;
  /** The same in the tree that counts CPU time. Undefined: nothing counts it. */
  accounting?: string | undefined;
};

/** The controllers that child groups may use, as `cgroup.subtree_control` expects them. */
export const DELEGATED_CONTROLLERS = CONTROLLERS.map((name) => `+${name}`).join(' ');

const CHECK_MS = 10;
const KILL_TIMEOUT_MS = 5_000;

export function createControlGroups(tree: ControlGroupTree): ControlGroups {
  const { version, folders, accounting } = tree;
  const limited = CONTROLLERS.map((controller) => folders[controller]);
  const parents = [...new Set([...limited, ...(accounting === undefined ? [] : [accounting])])];
  const read = (controller: Controller, name: string, file: string) =>
    readOrEmpty(join(folders[controller], name, file));
  const members = (name: string) => parsePids(read('pids', name, 'cgroup.procs'));

  function remove(name: string): boolean {
    return parents.map((parent) => tryRemove(join(parent, name))).every(Boolean);
  }

  return {
    members,
    folders: (name) => parents.map((parent) => join(parent, name)),
    removeIfEmpty: remove,
    create(name, limits) {
      for (const parent of parents) {
        mkdirSync(parent, { recursive: true });
        // Each time, because another server that closed may have removed the parent group.
        if (version === 2)
          writeFileSync(join(parent, 'cgroup.subtree_control'), DELEGATED_CONTROLLERS);
        mkdirSync(join(parent, name), { recursive: true });
      }
      for (const { controller, file, value, isOptional } of limitFiles(version, limits)) {
        const path = join(folders[controller], name, file);
        if (isOptional !== true || existsSync(path)) writeFileSync(path, value);
      }
    },
    addProcess(name, pid) {
      for (const parent of parents) addToGroup(join(parent, name, 'cgroup.procs'), pid);
    },
    async join(name, pid) {
      const files = parents.map((parent) => join(parent, name, 'cgroup.procs'));
      await Promise.all(files.map((file) => writeFile(file, String(pid)).catch(ignoreExited)));
    },
    countMemoryKills: (name) => parseMemoryKills(read('memory', name, memoryEventsFile(version))),
    usage(name) {
      const cpu = accounting === undefined ? undefined : join(accounting, name);
      const files = usageFiles(version, { cpu, memory: join(folders.memory, name) });
      return {
        cpuSeconds: parseCpuSeconds(version, readOrEmpty(files.cpu)),
        memoryBytes: parseMemoryBytes(readOrEmpty(files.memory), readOrEmpty(files.memoryStat)),
      };
    },
    async kill(name) {
      const until = performance.now() + KILL_TIMEOUT_MS;
      while (!remove(name)) {
        if (performance.now() >= until) return false;
        killMembers(join(folders.pids, name), version, members(name));
        await delay(CHECK_MS);
      }
      return true;
    },
    list: () => listFolders(folders.pids),
    close() {
      for (const parent of parents) tryRemove(parent);
    },
  };
}

/** Uses `cgroup.kill` where it exists. Otherwise forbids new processes, then kills the members one by one. */
function killMembers(folder: string, version: ControlGroupVersion, members: number[]): void {
  // With several trees, the other ones may take a moment longer to release the group.
  if (!existsSync(folder)) return;
  const killFile = join(folder, 'cgroup.kill');
  if (version === 2 && existsSync(killFile)) {
    writeFileSync(killFile, '1');
    return;
  }
  writeFileSync(join(folder, 'pids.max'), '0');
  for (const pid of members) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has exited in the meantime.
    }
  }
}

function addToGroup(path: string, pid: number): void {
  try {
    writeFileSync(path, String(pid));
  } catch (error) {
    ignoreExited(error);
  }
}

function ignoreExited(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
}

/** The kernel refuses to remove a group that has processes. */
function tryRemove(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

function readOrEmpty(path: string | undefined): string {
  if (path === undefined) return '';
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function listFolders(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch {
    return [];
  }
}
