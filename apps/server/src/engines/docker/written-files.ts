import { readFile, statfs } from 'node:fs/promises';
import { run } from '../../processes/run.ts';
import type { Container } from './container.ts';

/** What containers have written to the disk. */
export type WrittenFiles = { bytes: number; files: number };

const TIMEOUT_MS = 20_000;
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' };
const TMPFS = 0x01021994;
const BLOCK_BYTES = 512;

/**
 * Their writable layers and anonymous volumes. Docker can measure them too, but counts reserved blocks not at all and
 * holes in full. Undefined when that takes too long, or when the files are on another machine.
 */
export async function measureWrittenFiles(
  containers: Container[],
  signal: AbortSignal,
): Promise<WrittenFiles | undefined> {
  return await measureFolders(containers.flatMap(writtenFolders), signal);
}

/**
 * Files that containers have deleted, but still have open or mapped: they take space until the last program closes them. A
 * program looks for them, because an app can have millions of file descriptors.
 */
export async function measureDeletedFiles(
  containers: Container[],
  signal: AbortSignal,
): Promise<number> {
  const running = containers.filter(({ State }) => State.Pid > 0);
  const pids = (await Promise.all(running.map(({ State }) => processesOf(State.Pid)))).flat();
  if (pids.length === 0) return 0;
  const found = new Map<string, { bytes: number; path: string }>();
  const onLine = (line: string) => {
    const [, file = '', blocks, path = ''] = /^(\d+:\d+) (\d+) (\/proc\/.+)$/.exec(line) ?? [];
    if (Number(blocks) > 0) found.set(file, { bytes: Number(blocks) * BLOCK_BYTES, path });
  };
  const folders = pids.flatMap((pid) => [`/proc/${pid}/fd`, `/proc/${pid}/map_files`]);
  const filter = ['-maxdepth', '1', '-type', 'f', '-links', '0', '-printf', '%D:%i %b %p\\n'];
  await run(
    { argv: ['find', '-L', ...folders, ...filter], cwd: '/', env: ENVIRONMENT },
    { signal, timeoutMs: TIMEOUT_MS, onLine },
  );
  let sum = 0;
  for (const { bytes, path } of found.values()) if (!(await isInMemory(path))) sum += bytes;
  return sum;
}

function writtenFolders({ GraphDriver, Mounts }: Container): string[] {
  const layer = GraphDriver?.Data?.UpperDir;
  const volumes = (Mounts ?? []).filter(({ Type }) => Type === 'volume');
  return [...(layer === undefined ? [] : [layer]), ...volumes.map(({ Source }) => Source)];
}

async function measureFolders(
  folders: string[],
  signal: AbortSignal,
): Promise<WrittenFiles | undefined> {
  if (folders.length === 0) return { bytes: 0, files: 0 };
  const [bytes, files] = await Promise.all([
    diskUsage(['--block-size=1'], folders, signal),
    diskUsage(['--inodes'], folders, signal),
  ]);
  return bytes === undefined || files === undefined ? undefined : { bytes, files };
}

async function diskUsage(
  options: string[],
  folders: string[],
  signal: AbortSignal,
): Promise<number | undefined> {
  let total: number | undefined;
  const onLine = (line: string) => {
    const [, sum] = /^(\d+)\ttotal$/.exec(line) ?? [];
    if (sum !== undefined) total = Number(sum);
  };
  const argv = ['du', '--summarize', '--total', '--one-file-system', ...options, '--', ...folders];
  // It exits with 1 when files disappear meanwhile, and counts the others.
  const outcome = await run(
    { argv: argv as [string, ...string[]], cwd: '/', env: ENVIRONMENT },
    { signal, timeoutMs: TIMEOUT_MS, onLine },
  );
  return outcome.kind === 'exited' ? total : undefined;
}

/** Those in the control group of a process. */
async function processesOf(pid: number): Promise<string[]> {
  const groups = await readFile(`/proc/${pid}/cgroup`, 'utf8').catch(() => '');
  for (const path of processFiles(groups)) {
    const pids = await readFile(path, 'utf8').catch(() => '');
    if (pids !== '') return pids.trim().split('\n');
  }
  return [String(pid)];
}

/** `groups`: the content of /proc/<pid>/cgroup, of version 1 or 2. */
export function processFiles(groups: string): string[] {
  return groups.split('\n').flatMap((line) => {
    const [, controllers, path] = /^\d+:([^:]*):(\/.+)$/.exec(line) ?? [];
    if (controllers === '') return [`/sys/fs/cgroup${path}/cgroup.procs`];
    if (controllers === 'pids') return [`/sys/fs/cgroup/pids${path}/cgroup.procs`];
    return [];
  });
}

/** Files in memory count as memory of the app. */
async function isInMemory(path: string): Promise<boolean> {
  return await statfs(path).then(
    ({ type }) => type === TMPFS,
    () => true,
  );
}
