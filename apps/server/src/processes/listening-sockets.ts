import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export type ListeningSocket = {
  host: string;
  port: number;
  uid: number;
  inode: string;
  /** Connections that the kernel has completed and the program has not accepted yet. */
  waiting: number;
};

const LISTEN_STATE = '0A';

/** Every listening TCP socket of this machine. */
export function listListeningSockets(): ListeningSocket[] {
  return ['tcp', 'tcp6'].flatMap((name) => parseListeningSockets(readTable(name)));
}

/** The sockets that these processes listen on. */
export function listeningSocketsOf(pids: number[]): ListeningSocket[] {
  const inodes = new Set(pids.flatMap(socketInodes));
  return listListeningSockets().filter(({ inode }) => inodes.has(inode));
}

/** The listening sockets in the network namespace of a process; undefined when its tables cannot be read. */
export function listeningSocketsInNamespaceOf(pid: number): ListeningSocket[] | undefined {
  const tables = ['tcp', 'tcp6'].map((name) => readTable(name, `/proc/${pid}/net`));
  if (tables.every((table) => table === '')) return undefined;
  return tables.flatMap(parseListeningSockets);
}

/** Reads the kernel's table: `sl local_address rem_address st tx_queue:rx_queue … uid timeout inode`, numbers in hex. */
export function parseListeningSockets(table: string): ListeningSocket[] {
  return table
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[3] === LISTEN_STATE)
    .map(([, local = '', , , queues = '', , , uid, , inode = '']) => {
      const [address = '', port = ''] = local.split(':');
      const [, waiting = ''] = queues.split(':');
      return {
        host: formatHost(address),
        port: Number.parseInt(port, 16),
        uid: Number(uid),
        inode,
        waiting: Number.parseInt(waiting, 16),
      };
    });
}

/** Formats wildcard and loopback addresses; the others stay as the kernel writes them. */
function formatHost(address: string): string {
  const names: Record<string, string> = {
    '00000000': '0.0.0.0',
    '0100007F': '127.0.0.1',
    '00000000000000000000000000000000': '[::]',
    '00000000000000000000000001000000': '[::1]',
  };
  return names[address] ?? address;
}

function readTable(name: string, folder = '/proc/net'): string {
  try {
    return readFileSync(`${folder}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

function socketInodes(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`)
      .map((fd) => /^socket:\[(\d+)\]$/.exec(linkTarget(`/proc/${pid}/fd/${fd}`))?.[1])
      .filter((inode) => inode !== undefined);
  } catch {
    return [];
  }
}

function linkTarget(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
