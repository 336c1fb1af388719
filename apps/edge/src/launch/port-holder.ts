import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** A process that listens on a port. */
export type PortHolder = { pid: number; argv: string[] };

/** Processes that listen on the port, of those whose descriptors this user can read. */
export function findPortHolders(port: number): PortHolder[] {
  const sockets = new Set(
    ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((path) => listeningInodes(readText(path), port)),
  );
  if (sockets.size === 0) return [];
  return listFolder('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => hasSocket(`/proc/${pid}/fd`, sockets))
    .map((pid) => ({ pid: Number(pid), argv: argvOf(pid) }));
}

/** The workers of this edge whose keeper was killed, whatever port they listen on. */
export function findOrphans(folder: string): PortHolder[] {
  return listFolder('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), argv: argvOf(name) }))
    .filter((holder) => {
      const edge = edgeOf(holder);
      if (edge === undefined || edge.folder !== folder || edge.isKeeper) return false;
      const parent = /^PPid:\s+(\d+)/m.exec(readText(`/proc/${holder.pid}/status`))?.[1] ?? '';
      return edgeOf({ pid: Number(parent), argv: argvOf(parent) })?.isKeeper !== true;
    });
}

function argvOf(pid: string): string[] {
  return readText(`/proc/${pid}/cmdline`).split('\0').filter(Boolean);
}

/** The inodes of the sockets that listen on a port, from the text of `/proc/net/tcp`. */
export function listeningInodes(table: string, port: number): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  return table
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = '', , state]) => local.endsWith(`:${wanted}`) && state === '0A')
    .flatMap((columns) => columns[9] ?? []);
}

/** The edge folder in the command line of a keeper or worker. Undefined: another program. */
export function edgeOf({ argv }: PortHolder): { folder: string; isKeeper: boolean } | undefined {
  const index = argv.findIndex((it) => ['keeper.mjs', 'worker.mjs'].includes(basename(it)));
  const folder = argv[index + 1];
  if (index < 1 || folder === undefined) return undefined;
  return { folder, isKeeper: basename(argv[index] ?? '') === 'keeper.mjs' };
}

function hasSocket(folder: string, inodes: ReadonlySet<string>): boolean {
  return listFolder(folder).some((name) => {
    try {
      const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`${folder}/${name}`))?.[1];
      return inode !== undefined && inodes.has(inode);
    } catch {
      return false;
    }
  });
}

/** Empty for a process that ended meanwhile or belongs to another user. */
function listFolder(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
