import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTROLLERS, type Controller } from './group-files.ts';
import { createGroups, type GroupPlace, type Groups, HANDED_ON } from './groups.ts';

const ROOT = '/sys/fs/cgroup';
const TRIAL = 'trial';
const TRIAL_LIMITS = { memoryBytes: 1024 ** 2, cpus: 1, processes: 1 };

/**
 * Control groups of our own, if this machine lets us have them: a trial tells. They lie at the root of the tree, not below
 * the group of the server, since whoever ends a service ends its group, and apps go on without the server.
 */
export function findGroups(name: string, root = ROOT): Groups | undefined {
  try {
    const place = placeOf(name, root);
    if (place === undefined) return undefined;
    const groups = createGroups(place);
    groups.make(TRIAL, TRIAL_LIMITS);
    groups.remove(TRIAL);
    return groups;
  } catch {
    return undefined;
  }
}

function placeOf(name: string, root: string): GroupPlace | undefined {
  const offered = join(root, 'cgroup.controllers');
  if (existsSync(offered)) {
    const controllers = readFileSync(offered, 'utf8').trim().split(' ');
    if (!CONTROLLERS.every((controller) => controllers.includes(controller))) return undefined;
    const folder = join(root, name);
    writeFileSync(join(root, 'cgroup.subtree_control'), HANDED_ON);
    return { version: 2, folders: { memory: folder, cpu: folder, pids: folder } };
  }
  if (!CONTROLLERS.every((it) => existsSync(join(root, it, 'cgroup.procs')))) return undefined;
  const folderOf = (controller: Controller) => join(root, controller, name);
  const folders = { memory: folderOf('memory'), cpu: folderOf('cpu'), pids: folderOf('pids') };
  return { version: 1, folders };
}
