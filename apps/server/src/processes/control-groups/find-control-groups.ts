import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTROLLERS, type Controller } from './control-group-files.ts';
import {
  type ControlGroups,
  type ControlGroupTree,
  createControlGroups,
  DELEGATED_CONTROLLERS,
} from './control-groups.ts';

const ROOT = '/sys/fs/cgroup';
const PROBE_GROUP = 'trial';
const PROBE_LIMITS = { memoryBytes: 1024 ** 2, cpus: 1, processes: 1 };

/**
 * Control groups for apps; undefined when creating a probe group fails. They are at the root of the tree, not below the group of
 * the server: systemd kills a service with its whole group, and apps must keep running without the server.
 */
export function findControlGroups(name: string, root = ROOT): ControlGroups | undefined {
  try {
    const tree = findTree(name, root);
    if (tree === undefined) return undefined;
    // Limits matter more than counted CPU time, whose tree may be read-only.
    return tryGroups(tree) ?? tryGroups({ ...tree, accounting: undefined });
  } catch {
    return undefined;
  }
}

function tryGroups(tree: ControlGroupTree): ControlGroups | undefined {
  try {
    const groups = createControlGroups(tree);
    groups.create(PROBE_GROUP, PROBE_LIMITS);
    groups.removeIfEmpty(PROBE_GROUP);
    return groups;
  } catch {
    return undefined;
  }
}

function findTree(name: string, root: string): ControlGroupTree | undefined {
  const offered = join(root, 'cgroup.controllers');
  if (existsSync(offered)) {
    const controllers = readFileSync(offered, 'utf8').trim().split(' ');
    if (!CONTROLLERS.every((controller) => controllers.includes(controller))) return undefined;
    const folder = join(root, name);
    writeFileSync(join(root, 'cgroup.subtree_control'), DELEGATED_CONTROLLERS);
    const folders = { memory: folder, cpu: folder, pids: folder };
    return { version: 2, folders, accounting: folder };
  }
  if (!CONTROLLERS.every((it) => existsSync(join(root, it, 'cgroup.procs')))) return undefined;
  const folderOf = (controller: Controller) => join(root, controller, name);
  const folders = { memory: folderOf('memory'), cpu: folderOf('cpu'), pids: folderOf('pids') };
  return { version: 1, folders, accounting: accountingFolder(name, root) };
}

/** Often in the same tree as the limit of CPU time, but not always. */
function accountingFolder(name: string, root: string): string | undefined {
  const tree = ['cpu', 'cpuacct'].find((it) => existsSync(join(root, it, 'cpuacct.usage')));
  return tree === undefined ? undefined : join(root, tree, name);
}
