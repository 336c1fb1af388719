import { createHash, timingSafeEqual } from 'node:crypto';
import { chmodSync, renameSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import {
  createLineReader,
  type EdgeMessage,
  MAX_LINE_BYTES,
  PROTOCOL,
  parseServerMessage,
  type ServerMessage,
  toLine,
} from '@longshore/edge-contract';

/** The control socket. One server at a time: a newer one replaces the older connection. */
export type ControlServer = {
  listen(): Promise<void>;
  /** Does nothing while no server is connected. */
  send(message: EdgeMessage): void;
  /** Whether the connected server reads slower than it is sent messages. */
  isBusy(): boolean;
  /** Reads no more messages of the connected server until `resume`. Those already read are still passed on. */
  pause(): void;
  resume(): void;
  /** Ends the connection after what was sent. */
  close(): void;
};

export type ControlDeps = {
  secret: Buffer;
  welcome(): Extract<EdgeMessage, { kind: 'welcome' }>;
  /** After `welcome` was sent. */
  onConnected(): void;
  onMessage(message: ServerMessage): void;
  onDisconnected(): void;
};

const SOCKET = 'control.sock';
const HELLO_MS = 5_000;
const HELLO_BYTES = 4_096;
/** Those that have not said hello. */
const MAX_UNKNOWN_PEERS = 16;
/** A server that does not read is disconnected: it gets everything again after it has connected. */
const MAX_UNREAD_BYTES = 16 * MAX_LINE_BYTES;

export function createControlServer(deps: ControlDeps): ControlServer {
  const unknownPeers = new Set<Socket>();
  let connected: Socket | undefined;

  const server = createServer((socket) => {
    if (unknownPeers.size >= MAX_UNKNOWN_PEERS) {
      socket.destroy();
      return;
    }
    receiveMessages(socket);
  });

  function receiveMessages(socket: Socket): void {
    const reader = createLineReader(HELLO_BYTES);
    let peer: 'unknown' | 'server' | 'other-protocol' = 'unknown';
    const helloTimer = setTimeout(() => refuse('hello is missing'), HELLO_MS);
    unknownPeers.add(socket);

    function refuse(reason: string): void {
      socket.end(toLine({ kind: 'refused', reason }));
      socket.removeAllListeners('data').resume();
      forget();
      // The peer may keep its half open.
      setTimeout(() => socket.destroy(), 1_000).unref();
    }

    function forget(): void {
      clearTimeout(helloTimer);
      unknownPeers.delete(socket);
      if (connected !== socket) return;
      connected = undefined;
      deps.onDisconnected();
    }

    function receive(line: string): void {
      const message = parseServerMessage(line);
      if (peer === 'unknown') acceptHello(message);
      else if (message === undefined || message.kind === 'hello') refuse('invalid message');
      else if (peer === 'server' || message.kind === 'replace' || message.kind === 'stop')
        deps.onMessage(message);
      else refuse(`this edge speaks protocol ${PROTOCOL}`);
    }

    function acceptHello(message: ServerMessage | undefined): void {
      if (message?.kind !== 'hello') refuse('expected hello');
      else if (!isSameSecret(message.secret, deps.secret)) refuse('wrong secret');
      else {
        clearTimeout(helloTimer);
        unknownPeers.delete(socket);
        disconnect();
        connected = socket;
        peer = message.protocol === PROTOCOL ? 'server' : 'other-protocol';
        reader.allow(MAX_LINE_BYTES);
        socket.write(toLine(deps.welcome()));
        if (peer === 'server') deps.onConnected();
      }
    }

    socket.on('error', () => {});
    socket.on('close', forget);
    socket.on('end', () => socket.end());
    socket.on('data', (chunk) => {
      const lines = reader.read(chunk);
      for (const line of lines ?? []) if (isOpen(socket)) receive(line);
      if (lines === undefined && isOpen(socket)) refuse('line too long');
    });
  }

  function isOpen(socket: Socket): boolean {
    return socket === connected || unknownPeers.has(socket);
  }

  function disconnect(): void {
    const socket = connected;
    if (socket === undefined) return;
    connected = undefined;
    socket.removeAllListeners('data').resume();
    socket.end();
    setTimeout(() => socket.destroy(), 1_000).unref();
    deps.onDisconnected();
  }

  return {
    listen: () =>
      new Promise((resolve, reject) => {
        // Renamed over the socket of a keeper that this one replaces, so that there is always one.
        const temporary = `${SOCKET}.${process.pid}`;
        rmSync(temporary, { force: true });
        server.once('error', reject);
        server.listen(temporary, () => {
          server.off('error', reject);
          chmodSync(temporary, 0o600);
          renameSync(temporary, SOCKET);
          resolve();
        });
      }),
    send(message) {
      if (connected === undefined) return;
      if (connected.writableLength > MAX_UNREAD_BYTES) connected.destroy();
      else connected.write(toLine(message));
    },
    isBusy: () => connected?.writableNeedDrain === true,
    pause: () => void connected?.pause(),
    resume: () => void connected?.resume(),
    close() {
      disconnect();
      for (const socket of unknownPeers) socket.destroy();
      server.close();
    },
  };
}

/** Compares hashes, so that neither content nor length of the secret affects the time it takes. */
function isSameSecret(given: string, secret: Buffer): boolean {
  return timingSafeEqual(hashOf(Buffer.from(given)), hashOf(secret));
}

function hashOf(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
