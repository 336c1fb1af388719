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
  type Controller,
  type GroupLimits,
  type GroupVersion,
  limitFiles,
  memoryEventsFile,
  parseMembers,
  parseMemoryKills,
} from './group-files.ts';

/** The kernel's control groups, below one of our own. Processes of a group stay in it, and so do those that they start. */
export type Groups = {
  /** Makes a group, or gives the one there is these limits. */
  make(name: string, limits: GroupLimits): void;
  /** Puts a process in; one that has ended already is fine. */
  enter(name: string, pid: number): void;
  members(name: string): number[];
  /** How many of its processes were ended for want of memory. */
  memoryKills(name: string): number;
  /** Takes a group away if nothing is in it. Answers whether it is gone. */
  remove(name: string): boolean;
  /** Ends by force all that is in it, and takes it away. Answers whether it is gone. */
  end(name: string): Promise<boolean>;
  names(): string[];
  /** Takes our own group away if nothing is in it. */
  close(): void;
};

export type GroupPlace = {
  version: GroupVersion;
  /** Our own folder in the tree of each controller. */
  folders: Record<Controller, string>;
};

/** What the groups below may limit in their turn. */
export const HANDED_ON = CONTROLLERS.map((name) => `+${name}`).join(' ');

const CHECK_MS = 10;
const LIMIT_MS = 5_000;

export function createGroups({ version, folders }: GroupPlace): Groups {
  const places = [...new Set(CONTROLLERS.map((controller) => folders[controller]))];
  const read = (controller: Controller, name: string, file: string) =>
    readOrNothing(join(folders[controller], name, file));
  const members = (name: string) => parseMembers(read('pids', name, 'cgroup.procs'));

  function remove(name: string): boolean {
    return places.map((place) => isRemoved(join(place, name))).every(Boolean);
  }

  return {
    members,
    remove,
    make(name, limits) {
      for (const place of places) {
        mkdirSync(place, { recursive: true });
        // Each time, since whoever closed before us may have taken our own group away.
        if (version === 2) writeFileSync(join(place, 'cgroup.subtree_control'), HANDED_ON);
        mkdirSync(join(place, name), { recursive: true });
      }
      for (const { controller, file, value, isOptional } of limitFiles(version, limits)) {
        const path = join(folders[controller], name, file);
        if (isOptional !== true || existsSync(path)) writeFileSync(path, value);
      }
    },
    enter(name, pid) {
      for (const place of places) enterOne(join(place, name, 'cgroup.procs'), pid);
    },
    memoryKills: (name) => parseMemoryKills(read('memory', name, memoryEventsFile(version))),
    async end(name) {
      const until = performance.now() + LIMIT_MS;
      while (!remove(name)) {
        if (performance.now() >= until) return false;
        kill(join(folders.pids, name), version, members(name));
        await delay(CHECK_MS);
      }
      return true;
    },
    names: () => foldersIn(folders.pids),
    close() {
      for (const place of places) isRemoved(place);
    },
  };
}

/** All at once where the kernel can; otherwise none may start another while they are ended one by one. */
function kill(folder: string, version: GroupVersion, members: number[]): void {
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

function enterOne(path: string, pid: number): void {
  try {
    writeFileSync(path, String(pid));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The kernel refuses while something is in it. */
function isRemoved(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function foldersIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch {
    return [];
  }
}
