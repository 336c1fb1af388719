import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { run } from '../../../src/processes/run.ts';
import { listLoopDevices } from '../../../src/sandbox/disk/loop-devices.ts';
import { openControlGroups } from '../../../src/sandbox/open-sandbox.ts';

/**
 * What an installation has on the machine. Other installations are not counted, so that tests can run side by side.
 * A process belongs to it if its mount namespace has something of the data directory.
 */
export type MachineState = {
  processes: string[];
  /** Of these processes: network, pid, ipc, uts and mount namespaces, and users. */
  namespaces: string[];
  uids: string[];
  devices: string[];
  routes: string[];
  /** Elements of the sets of its table. */
  rules: string[];
  mounts: string[];
  loopDevices: string[];
  groups: string[];
  files: string[];
};

const NAMESPACES = ['net', 'pid', 'ipc', 'uts', 'mnt'];

export async function readMachineState(dataDir: string): Promise<MachineState> {
  const installation = installationOf(dataDir);
  const devicePrefix = `ls${installation.slice(0, 6)}`;
  const pids = processesWithMountsOf(dataDir);
  const links = await outputOf('ip', '-brief', 'link', 'show');
  const routes = [...(await outputOf('ip', 'route')), ...(await outputOf('ip', '-6', 'route'))];
  const table = await outputOf('nft', 'list', 'table', 'inet', `longshore_${installation}`);
  return {
    processes: pids.map(describeProcess).sort(),
    namespaces: unique(pids.flatMap(namespacesOf)),
    uids: unique(pids.map((pid) => readProc(pid, 'status').match(/^Uid:\s+(\d+)/m)?.[1] ?? '')),
    devices: links.filter((line) => line.startsWith(devicePrefix)),
    routes: routes.filter((line) => line.includes(devicePrefix)),
    rules: elementsIn(table.join(' ')).filter((element) => element.includes(devicePrefix)),
    mounts: (await readFile('/proc/self/mounts', 'utf8'))
      .split('\n')
      .filter((line) => line.includes(dataDir)),
    loopDevices: (await listLoopDevices())
      .filter(({ image }) => image.startsWith(dataDir))
      .map(({ image }) => image),
    groups: openControlGroups(dataDir)?.list() ?? [],
    files: (await readdir(dataDir, { recursive: true })).filter(isOfApp).sort(),
  };
}

/** What its devices, rules and control groups are called by. */
export function installationOf(dataDir: string): string {
  return createHash('sha256').update(dataDir).digest('hex').slice(0, 12);
}

function elementsIn(table: string): string[] {
  return [...table.matchAll(/elements = \{([^}]*)\}/g)].flatMap(([, list = '']) => list.split(','));
}

/** The programs of Longshore itself stay. */
function isOfApp(path: string): boolean {
  return /^(apps|records|names|mounts)\/./.test(path) && !path.startsWith('names/no.project');
}

/** Except those that share the mount namespace of this process. */
function processesWithMountsOf(dataDir: string): number[] {
  const own = readlinkSync('/proc/self/ns/mnt');
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => linkOf(pid, 'mnt') !== own && readProc(pid, 'mountinfo').includes(dataDir));
}

function describeProcess(pid: number): string {
  return `${pid} ${readProc(pid, 'cmdline').replaceAll('\0', ' ')}`;
}

function namespacesOf(pid: number): string[] {
  return NAMESPACES.map((kind) => linkOf(pid, kind)).filter((link) => link !== '');
}

function linkOf(pid: number, kind: string): string {
  try {
    return readlinkSync(`/proc/${pid}/ns/${kind}`);
  } catch {
    return '';
  }
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function unique(values: string[]): string[] {
  return [...new Set(values)].sort();
}

/** No lines when the program fails: the table does not exist. */
async function outputOf(...argv: [string, ...string[]]): Promise<string[]> {
  const lines: string[] = [];
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };
  const { signal } = new AbortController();
  const end = await run(
    { argv, cwd: '/', env },
    { signal, timeoutMs: 20_000, onLine: (line) => lines.push(line.trim()) },
  );
  return end.kind === 'exited' && end.code === 0 ? lines : [];
}
