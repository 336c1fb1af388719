import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** A control group for a service that outlives this server, beside that of the server. */
export type ServiceGroup = {
  /** Moves a process into the group. Its children stay there. */
  join(pid: number): void;
  /** Removes the group, unless it still has processes after a second. */
  remove(): Promise<void>;
};

type GroupFolder = { folder: string; weight?: { file: string; value: number } };

const REMOVE_MS = 1_000;
const CHECK_MS = 10;
const ROOT = '/sys/fs/cgroup';
/** Ten times the default: the service goes first when apps and builds use all processors. */
const WEIGHTS = { 'cpu.weight': 1_000, 'cpu.shares': 10_240 };

/**
 * At the root of the tree, because systemd kills a service with its whole group. With version 1, systemd knows the processes
 * of a service by a tree of its own. Where control groups cannot be created, joining does nothing.
 */
export function serviceGroup(name: string, root = ROOT): ServiceGroup {
  const folders = groupFolders(name, root);
  return {
    join(pid) {
      for (const { folder, weight } of folders) {
        try {
          mkdirSync(folder, { recursive: true });
          if (weight !== undefined) writeFileSync(join(folder, weight.file), String(weight.value));
          writeFileSync(join(folder, 'cgroup.procs'), String(pid));
        } catch {
          // In a container, the tree may be read-only.
        }
      }
    },
    async remove() {
      const until = performance.now() + REMOVE_MS;
      while (!folders.map(tryRemove).every(Boolean) && performance.now() < until) {
        await delay(CHECK_MS);
      }
    },
  };
}

/** The kernel refuses to remove a group that has processes, also those that are just ending. */
function tryRemove({ folder }: GroupFolder): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

function groupFolders(name: string, root: string): GroupFolder[] {
  const weightOf = (file: keyof typeof WEIGHTS) => ({ file, value: WEIGHTS[file] });
  if (existsSync(join(root, 'cgroup.controllers'))) {
    return [{ folder: join(root, name), weight: weightOf('cpu.weight') }];
  }
  const cpu = { folder: join(root, 'cpu', name), weight: weightOf('cpu.shares') };
  const trees = [
    cpu,
    ...['systemd', 'unified'].map((tree) => ({ folder: join(root, tree, name) })),
  ];
  return trees.filter(({ folder }) => existsSync(join(folder, '..', 'cgroup.procs')));
}
