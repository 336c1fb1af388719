import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
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

/** The kernel's control groups, below one of our own. Processes of a group stay in it, and so do those that they start. */
export type ControlGroups = {
  /** Makes a group, or gives the one there is these limits. */
  create(name: string, limits: ResourceLimits): void;
  /** Puts a process in; one that has ended already is fine. */
  addProcess(name: string, pid: number): void;
  members(name: string): number[];
  /** How many of its processes were ended for want of memory. */
  countMemoryKills(name: string): number;
  /** Takes a group away if nothing is in it. Answers whether it is gone. */
  removeIfEmpty(name: string): boolean;
  /** Ends by force all that is in it, and takes it away. Answers whether it is gone. */
  kill(name: string): Promise<boolean>;
  list(): string[];
  /** Takes our own group away if nothing is in it. */
  close(): void;
};

export type ControlGroupTree = {
  version: ControlGroupVersion;
  /** Our own folder in the tree of each controller. */
  folders: Record<Controller, string>;
};

/** What the groups below may limit in their turn. */
export const DELEGATED_CONTROLLERS = CONTROLLERS.map((name) => `+${name}`).join(' ');

const CHECK_MS = 10;
const KILL_TIMEOUT_MS = 5_000;

export function createControlGroups({ version, folders }: ControlGroupTree): ControlGroups {
  const places = [...new Set(CONTROLLERS.map((controller) => folders[controller]))];
  const read = (controller: Controller, name: string, file: string) =>
    readOrEmpty(join(folders[controller], name, file));
  const members = (name: string) => parsePids(read('pids', name, 'cgroup.procs'));

  function remove(name: string): boolean {
    return places.map((place) => tryRemove(join(place, name))).every(Boolean);
  }

  return {
    members,
    removeIfEmpty: remove,
    create(name, limits) {
      for (const place of places) {
        mkdirSync(place, { recursive: true });
        // Each time, since whoever closed before us may have taken our own group away.
        if (version === 2)
          writeFileSync(join(place, 'cgroup.subtree_control'), DELEGATED_CONTROLLERS);
        mkdirSync(join(place, name), { recursive: true });
      }
      for (const { controller, file, value, isOptional } of limitFiles(version, limits)) {
        const path = join(folders[controller], name, file);
        if (isOptional !== true || existsSync(path)) writeFileSync(path, value);
      }
    },
    addProcess(name, pid) {
      for (const place of places) addToGroup(join(place, name, 'cgroup.procs'), pid);
    },
    countMemoryKills: (name) => parseMemoryKills(read('memory', name, memoryEventsFile(version))),
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
      for (const place of places) tryRemove(place);
    },
  };
}

/** All at once where the kernel can; otherwise none may start another while they are ended one by one. */
function killMembers(folder: string, version: ControlGroupVersion, members: number[]): void {
  // Where there are several trees, the others may take a moment longer to let go.
  if (!existsSync(folder)) return;
  const atOnce = join(folder, 'cgroup.kill');
  if (version === 2 && existsSync(atOnce)) {
    writeFileSync(atOnce, '1');
    return;
  }
  writeFileSync(join(folder, 'pids.max'), '0');
  for (const pid of members) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended by itself meanwhile.
    }
  }
}

function addToGroup(path: string, pid: number): void {
  try {
    writeFileSync(path, String(pid));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The kernel refuses while something is in it. */
function tryRemove(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

function readOrEmpty(path: string): string {
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
