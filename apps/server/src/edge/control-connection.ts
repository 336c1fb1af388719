import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import {
  createLineReader,
  type EdgeMessage,
  MAX_LINE_BYTES,
  PROTOCOL,
  parseEdgeMessage,
  type ServerMessage,
  toLine,
} from '@longshore/edge-contract';

export type Welcome = Extract<EdgeMessage, { kind: 'welcome' }>;

/** A connection to a running edge that accepted the secret. */
export type ControlConnection = {
  welcome: Welcome;
  send(message: ServerMessage): void;
  close(): void;
  /** Resolves with the reason when either side has closed the connection. */
  closed: Promise<string>;
};

type OnMessage = (message: EdgeMessage) => void;

export type ControlTarget = { folder: string; secret: string; installation: string };

const HELLO_MS = 5_000;
const CLOSE_MS = 1_000;
/** An edge that does not read: the connection is closed, and everything is sent again on the next one. */
const MAX_UNREAD_BYTES = 64 * MAX_LINE_BYTES;
/** Linux: a reference to a file of any type. Node has no name for it. */
const O_PATH = 0o10000000;
const ABSENT = ['ENOENT', 'ECONNREFUSED', 'ENOTDIR'];

/**
 * Connects and says hello. `absent`: no edge listens. `hangs`: it does not answer in time. `ends`: it closes the connection
 * without an answer, as one that was killed does when its last thread has ended. `onMessage` gets what follows the welcome.
 */
export async function connectToEdge(
  { folder, secret, installation }: ControlTarget,
  onMessage: OnMessage,
  helloMs?: number,
): Promise<ControlConnection | 'absent' | 'hangs' | 'ends'> {
  const socket = await openSocket(join(folder, 'control.sock'));
  if (typeof socket === 'string') return socket;
  return await sayHello(socket, { secret, installation, onMessage, ...(helloMs && { helloMs }) });
}

type Hello = Omit<ControlTarget, 'folder'> & { onMessage: OnMessage; helloMs?: number };

export function sayHello(
  socket: Socket,
  { secret, installation, onMessage, helloMs = HELLO_MS }: Hello,
): Promise<ControlConnection | 'hangs' | 'ends'> {
  return new Promise((resolve, reject) => {
    const reader = createLineReader(MAX_LINE_BYTES);
    let isWelcome = false;
    let reason = 'the edge closed the connection';
    const fail = (text: string) => {
      reason = text;
      reject(new Error(text));
      socket.destroy();
    };
    const timer = setTimeout(() => {
      resolve('hangs');
      socket.destroy();
    }, helloMs);
    const closed = new Promise<string>((resolveClosed) => {
      socket.on('close', () => {
        clearTimeout(timer);
        resolveClosed(reason);
        resolve('ends');
      });
    });
    const send = (message: ServerMessage) => {
      if (socket.destroyed) return;
      if (socket.writableLength > MAX_UNREAD_BYTES) fail('the edge reads too slowly');
      else socket.write(toLine(message));
    };

    /** An edge that hangs does not close its side. */
    function close(): void {
      socket.end();
      setTimeout(() => socket.destroy(), CLOSE_MS).unref();
    }

    function receive(message: EdgeMessage | undefined): void {
      if (message === undefined) fail('the edge sent an invalid message');
      else if (isWelcome) onMessage(message);
      else if (message.kind === 'welcome') {
        isWelcome = true;
        clearTimeout(timer);
        resolve({ welcome: message, send, close, closed });
      } else fail(message.kind === 'refused' ? `refused: ${message.reason}` : 'no welcome');
    }

    socket.on('error', (error) => {
      reason = error.message;
    });
    socket.on('data', (chunk) => {
      const lines = reader.read(chunk);
      for (const line of lines ?? []) if (!socket.destroyed) receive(parseEdgeMessage(line));
      if (lines === undefined) fail('the edge sent a line that is too long');
    });
    send({ kind: 'hello', protocol: PROTOCOL, secret, installation });
  });
}

/**
 * The folder belongs to the user of the edge: a link in it must not lead the server to another socket. Through the descriptor,
 * the path is never too long for a socket.
 */
async function openSocket(path: string): Promise<Socket | 'absent' | 'ends'> {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, O_PATH | constants.O_NOFOLLOW);
    if (!fstatSync(descriptor).isSocket()) return 'absent';
    return await connectTo(`/proc/self/fd/${descriptor}`);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ECONNRESET') return 'ends';
    if (ABSENT.includes(code)) return 'absent';
    throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function connectTo(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}
