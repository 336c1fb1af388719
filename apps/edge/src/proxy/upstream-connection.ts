import { connect, type Socket } from 'node:net';
import { type BodyBuffer, type BodyBuffers, SHARED_BYTES } from './body-buffers.ts';
import { LIMITS } from './limits.ts';
import type { Expected } from './response-head.ts';
import { ResponseParser, type ResponseSink } from './response-parser.ts';

/** Uses a connection for one request. */
export type UpstreamClient = ResponseSink & {
  onConnected(): void;
  /** Everything that was read is delivered. */
  onReadDone(): void;
  /** The app takes more of the request's body. */
  onDrain(): void;
  /** The connection is closed. `timed-out`: it was silent for too long. */
  onConnectionFailed(reason: 'failed' | 'timed-out'): void;
};

/** The instance of an app that the connection belongs to. */
type Owner = {
  readonly address: { host: string; port: number } | { path: string };
  /** Keeps the connection for other requests. */
  keep(connection: UpstreamConnection): void;
  /** The connection was neither accepted nor refused. */
  onConnectTimeout(): void;
  /** The connection is closed. */
  forget(connection: UpstreamConnection): void;
};

type ConnectionOptions = {
  buffers: BodyBuffers;
  idleMs: number;
  isUpgrade: boolean;
  connectMs: number;
};

/** A connection to an app, used by one request at a time. */
export class UpstreamConnection {
  readonly socket: Socket;
  private readonly owner: Owner;
  isConnected = false;
  /** A byte of the response to the current request has arrived. */
  hasResponse = false;
  /** When the connection became idle, and for how long it may be used after that. */
  idleSince = 0;
  keepMs: number = LIMITS.upstreamKeepAliveMs;
  /** The buffer that was read into. Undefined: the shared one, whose bytes must be copied. */
  buffer: BodyBuffer | undefined;
  private readonly parser = new ResponseParser();
  private readonly buffers: BodyBuffers;
  private readonly idleMs: number;
  private readonly connectTimer: NodeJS.Timeout;
  private client: UpstreamClient | undefined;
  /** Gets all bytes after a switch of protocols. */
  private tunnel: Socket | undefined;
  private isReading = true;
  /** The app sent more than the response, or will send nothing more. */
  private isSpent = false;
  private lastReadBytes = 0;

  constructor(owner: Owner, { buffers, idleMs, isUpgrade, connectMs }: ConnectionOptions) {
    this.owner = owner;
    this.buffers = buffers;
    this.idleMs = idleMs;
    this.socket = connect({
      ...owner.address,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: LIMITS.upstreamProbeMs,
      allowHalfOpen: isUpgrade,
      onread: {
        buffer: () => this.nextBuffer() as Buffer,
        callback: (length, bytes) => this.onRead(length, bytes as Buffer),
      },
    });
    this.connectTimer = setTimeout(() => this.onConnectTimeout(), connectMs);
    this.socket
      .once('connect', () => this.onConnect())
      .on('drain', () => this.client?.onDrain())
      .on('timeout', () => this.fail('timed-out'))
      .on('end', () => this.onEnd())
      // An error is always followed by a close.
      .on('error', () => {})
      .on('close', () => this.onClose());
  }

  begin(client: UpstreamClient, expected: Expected, silenceMs = this.idleMs): void {
    this.client = client;
    this.hasResponse = false;
    if (this.socket.timeout !== silenceMs) this.socket.setTimeout(silenceMs);
    this.parser.begin(expected);
  }

  /** Stops reading the response until `resume`. */
  pause(): void {
    this.isReading = false;
  }

  resume(): void {
    if (this.isReading) return;
    this.isReading = true;
    this.socket.resume();
  }

  /** Forwards everything after the current response to this socket. */
  startTunnel(socket: Socket): void {
    this.client = undefined;
    this.tunnel = socket;
  }

  /** Ends the use of the connection. It is kept only if both directions are complete. */
  release(isRequestSent: boolean): void {
    const { head, isComplete } = this.parser;
    this.client = undefined;
    if (!isRequestSent || !isComplete || !head?.keepsAlive || this.isSpent) {
      this.socket.destroy();
      return;
    }
    this.resume();
    // Shorter than the app's own timer, so that no request meets it.
    this.keepMs = Math.min(LIMITS.upstreamKeepAliveMs, (head.keepAliveMs ?? 60_000) - 1_000);
    this.owner.keep(this);
  }

  destroy(): void {
    this.client = undefined;
    this.parser.cancel();
    this.socket.destroy();
  }

  private onConnectTimeout(): void {
    this.owner.onConnectTimeout();
    this.socket.destroy();
  }

  private onConnect(): void {
    clearTimeout(this.connectTimer);
    this.isConnected = true;
    this.client?.onConnected();
  }

  /** Returns false to stop reading. */
  private onRead(length: number, bytes: Buffer): boolean {
    this.lastReadBytes = length;
    if (this.tunnel !== undefined) return this.tunnel.write(copyOf(bytes, 0, length));
    const { client } = this;
    if (client === undefined) {
      // Bytes that nobody asked for would be taken for the next response.
      this.socket.destroy();
      return false;
    }
    this.hasResponse = true;
    let used: number;
    try {
      used = this.parser.read(bytes, length, client);
    } catch {
      this.fail('failed');
      return false;
    }
    // The client may have started a tunnel.
    const tunnel = this.tunnel as Socket | undefined;
    if (tunnel !== undefined) {
      return used === length || tunnel.write(copyOf(bytes, used, length));
    }
    if (used < length) this.isSpent = true;
    if (this.client === client) client.onReadDone();
    return this.isReading;
  }

  private onEnd(): void {
    this.isSpent = true;
    const { client, tunnel } = this;
    if (tunnel !== undefined) {
      tunnel.end();
      return;
    }
    if (client === undefined) {
      this.socket.destroy();
      return;
    }
    try {
      this.parser.readEnd(client);
      client.onReadDone();
    } catch {
      this.fail('failed');
    }
  }

  private onClose(): void {
    clearTimeout(this.connectTimer);
    this.fail('failed');
    this.owner.forget(this);
    if (this.buffer !== undefined) this.buffers.giveBack(this.buffer);
    this.buffer = undefined;
  }

  private fail(reason: 'failed' | 'timed-out'): void {
    const { client } = this;
    this.destroy();
    client?.onConnectionFailed(reason);
  }

  /** The buffer for the next read. Undefined: the same. */
  private nextBuffer(): Buffer | undefined {
    const { buffer } = this;
    if (buffer === undefined) {
      if (this.lastReadBytes === 0) return this.buffers.shared;
      return this.hasLargeBody() ? this.takeBuffer() : undefined;
    }
    if (this.client === undefined) {
      this.buffers.giveBack(buffer);
      this.buffer = undefined;
      return this.buffers.shared;
    }
    if (buffer.uses === 0) return undefined;
    this.buffers.giveBack(buffer);
    return this.takeBuffer() ?? this.buffers.shared;
  }

  private hasLargeBody(): boolean {
    if (this.client === undefined) return false;
    return this.parser.missingBytes > SHARED_BYTES || this.lastReadBytes === SHARED_BYTES;
  }

  private takeBuffer(): Buffer | undefined {
    this.buffer = this.socket.destroyed ? undefined : this.buffers.take();
    return this.buffer?.bytes;
  }
}

function copyOf(bytes: Buffer, start: number, end: number): Buffer {
  return Buffer.from(bytes.subarray(start, end));
}
