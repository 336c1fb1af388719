import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createLineReader,
  type EdgeMessage,
  type LaunchRequest,
  type LaunchResult,
  MAX_LINE_BYTES,
  PROTOCOL,
  parseEdgeMessage,
  type ServerMessage,
  type StateChange,
  toLine,
} from '@longshore/edge-contract';

/** The programs that `scripts/steps/build-programs.mjs` makes before the tests. */
const DIST = join(import.meta.dirname, '..', 'dist');
const isRoot = process.getuid?.() === 0;
/** As root, the edge has a user of its own. */
export const EDGE_USER = isRoot ? { uid: 1_899_999_000, gid: 1_899_999_000 } : undefined;

/** An installation's edge folder, in a data directory of its own. */
export type EdgeInstallation = {
  dataDir: string;
  folder: string;
  secret: string;
  /** Of the programs of this version. */
  program: string;
  node: string;
  launch(request?: Partial<LaunchRequest>): Promise<LaunchResult>;
  /** Launches with one HTTP listener and returns its port. */
  start(): Promise<number>;
  connect(): Promise<ControlClient>;
  removeFolder(): void;
  removeSecret(): void;
  /** Ends what still runs and removes the data directory. */
  remove(): Promise<void>;
};

export function createEdgeInstallation(): EdgeInstallation {
  const dataDir = mkdtempSync(join(tmpdir(), 'longshore-edge-'));
  chmodSync(dataDir, 0o711);
  const folder = join(dataDir, 'edge');
  const secret = randomBytes(32).toString('hex');
  const build = readFileSync(join(DIST, 'build'), 'utf8');
  const program = join(folder, `program-${build}`);
  const node = join(folder, 'node');
  mkdirSync(folder);
  cpSync(DIST, program, { recursive: true });
  writeFileSync(join(folder, 'secret'), secret, { mode: 0o400 });
  shareNode(node);
  if (EDGE_USER !== undefined) {
    for (const path of [folder, join(folder, 'secret')]) {
      chownSync(path, EDGE_USER.uid, EDGE_USER.gid);
    }
  }
  chmodSync(folder, 0o700);
  const clients = new Set<ControlClient>();

  const launch = (request?: Partial<LaunchRequest>) =>
    runLaunch(join(program, 'launch.mjs'), {
      folder,
      node,
      listeners: [{ protocol: 'http', host: '127.0.0.1', port: 0 }],
      identity: EDGE_USER,
      ...request,
    });

  return {
    dataDir,
    folder,
    secret,
    program,
    node,
    launch,
    async start() {
      const result = await launch();
      if (result.kind === 'failed') throw new Error(result.text);
      return result.listeners[0]?.port ?? 0;
    },
    removeFolder: () => rmSync(folder, { recursive: true }),
    removeSecret: () => rmSync(join(folder, 'secret')),
    async connect() {
      const client = await connectControl(folder, secret);
      clients.add(client);
      return client;
    },
    async remove() {
      for (const client of clients) client.close();
      for (const pid of processesOf(folder)) killIfRunning(pid);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The processes whose command line has the edge folder. */
export function processesOf(folder: string, program = '.mjs'): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      const argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return argv.includes(folder) && argv.some((it) => it.endsWith(program));
    } catch {
      return false;
    }
  });
}

/** A connection to the control socket, as a server has it. */
export type ControlClient = {
  send(message: ServerMessage): void;
  /** Bytes that may be no message. */
  write(bytes: string | Buffer): void;
  change(change: StateChange): void;
  /** The whole state. Resolves when it is in effect in every worker. */
  sync(change: StateChange): Promise<void>;
  messages: EdgeMessage[];
  /** The first message of a kind, of those that arrived and will arrive. It is taken out of `messages`. */
  next<Kind extends EdgeMessage['kind']>(kind: Kind): Promise<Extract<EdgeMessage, { kind: Kind }>>;
  closed: Promise<void>;
  close(): void;
};

async function connectControl(folder: string, secret: string): Promise<ControlClient> {
  const client = await openControl(folder);
  client.send({ kind: 'hello', protocol: PROTOCOL, secret, installation: 'test' });
  await client.next('welcome');
  return client;
}

/** Without hello. */
export async function openControl(folder: string): Promise<ControlClient> {
  const socket = createConnection(join(folder, 'control.sock'));
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  return clientOf(socket);
}

function clientOf(socket: Socket): ControlClient {
  const messages: EdgeMessage[] = [];
  const reader = createLineReader(MAX_LINE_BYTES);
  const waiting = new Set<() => void>();
  const wakeUp = () => {
    for (const check of waiting) check();
  };
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    for (const line of reader.read(chunk) ?? []) {
      const message = parseEdgeMessage(line);
      if (message === undefined) throw new Error(`The edge sent an invalid message: ${line}`);
      messages.push(message);
    }
    wakeUp();
  });
  const client: ControlClient = {
    messages,
    send: (message) => void socket.write(toLine(message)),
    write: (bytes) => void socket.write(bytes),
    change: (change) => client.send({ kind: 'change', change }),
    async sync(change) {
      client.send({ kind: 'sync', phase: 'begin' });
      client.change(change);
      client.send({ kind: 'sync', phase: 'end' });
      await client.next('synced');
    },
    closed: new Promise((resolve) => void socket.once('close', () => resolve())),
    next: (kind) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const index = messages.findIndex((message) => message.kind === kind);
          if (index === -1) return;
          waiting.delete(check);
          resolve(messages.splice(index, 1)[0] as never);
        };
        waiting.add(check);
        socket.once('close', () => reject(new Error(`Closed before a message ${kind}`)));
        check();
      }),
    close: () => void socket.destroy(),
  };
  return client;
}

function runLaunch(program: string, request: LaunchRequest): Promise<LaunchResult> {
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
  });
  child.stdin.end(JSON.stringify(request));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => {
      if (output === '') reject(new Error('launch printed nothing'));
      else resolve(JSON.parse(output) as LaunchResult);
    });
  });
}

/** For a user who cannot read where Node is installed. */
function shareNode(path: string): void {
  try {
    linkSync(process.execPath, path);
  } catch {
    copyFileSync(process.execPath, path);
    chmodSync(path, 0o755);
  }
}

/** It may have ended since it was listed. */
function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
