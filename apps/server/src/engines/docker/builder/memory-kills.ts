import { access, readFile } from 'node:fs/promises';

const ROOT = '/sys/fs/cgroup';

/** The file in which the kernel counts the programs that it ended in the control group of a process. */
export async function findMemoryFile(pid: number): Promise<string | undefined> {
  const groups = await readFile(`/proc/${pid}/cgroup`, 'utf8').catch(() => '');
  for (const path of memoryFiles(groups)) {
    const exists = await access(path).then(
      () => true,
      () => false,
    );
    if (exists) return path;
  }
  return undefined;
}

/** `groups`: the content of /proc/<pid>/cgroup, of version 1 or 2. */
export function memoryFiles(groups: string): string[] {
  return groups.split('\n').flatMap((line) => {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    if (controllers === '') return [`${ROOT}${path}/memory.events`];
    if (controllers?.split(',').includes('memory'))
      return [`${ROOT}/memory${path}/memory.oom_control`];
    return [];
  });
}

/** Undefined when the group no longer exists. */
export async function readMemoryKills(path: string | undefined): Promise<number | undefined> {
  if (path === undefined) return undefined;
  const text = await readFile(path, 'utf8').catch(() => undefined);
  const count = /^oom_kill (\d+)$/m.exec(text ?? '')?.[1];
  return count === undefined ? undefined : Number(count);
}
