import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, createServer, type ServerHttp2Session } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { Clock } from '@longshore/edge-contract';
import type { EdgeProxy, VisitorConnection } from '../proxy/proxy.ts';
import { Http2VisitorRequest, Http2VisitorResponse } from './http2-messages.ts';
import { createRateLimit } from './rate-limit.ts';

const SWEEP_MS = 1_000;
/** A visitor has this long to close its side of a closed connection. */
const CLOSE_MS = 1_000;

/** As over HTTP/1.1. */
const MAX_HEADER_BYTES = 16_384;

/**
 * Limits per connection. nghttp2 has limits of its own: 8 CONTINUATION frames per header block, 1,000 unsent
 * acknowledgements, and a rate of frames that make the server reset a stream.
 */
const SESSION = {
  settings: {
    maxConcurrentStreams: 128,
    // Only announced to visitors: Node accepts more.
    maxHeaderListSize: MAX_HEADER_BYTES,
    initialWindowSize: 262_144,
    // Websockets use HTTP/1.1: a browser opens another connection for them.
    enableConnectProtocol: false,
  },
  maxHeaderListPairs: 256,
  maxSessionMemory: 10,
  maxSessionInvalidFrames: 100,
  maxSessionRejectedStreams: 100,
  maxSettings: 32,
  // A visitor who leaves a page cancels all its requests at once. More is an attack (CVE-2023-44487).
  streamResetBurst: 300,
  streamResetRate: 33,
  // An app may send a header twice that has one value.
  strictSingleValueFields: false,
};
const CONNECTION_WINDOW = 524_288;
/** PING and SETTINGS frames: clients measure a connection with some, each costs a response. */
const CONTROL_FRAMES = { burst: 1_000, perSecond: 100 };

export type Http2Limits = {
  /** The first request must have arrived by then. */
  headersMs: number;
  /** A connection without requests is closed after this time. */
  keepAliveMs: number;
  /** A request without any bytes in either direction is closed after this time. */
  idleMs: number;
};

export type Http2ServerDeps = {
  handle: EdgeProxy['handle'];
  clock: Clock;
  limits: Http2Limits;
};

/** Serves HTTP/2 on connections that others accepted. */
export type Http2Server = {
  serve(socket: TLSSocket, connection: VisitorConnection): void;
  /**
   * Ends all connections when their requests have ended. Node announces the last request that is served, and ignores
   * later ones: visitors send those again on another connection.
   */
  close(): void;
};

type Arriving = { socket: TLSSocket; connection: VisitorConnection };

type Session = Arriving & {
  openStreams: number;
  /** The time since which there is no request. */
  idleSince: number;
  isUsed: boolean;
};

export function createHttp2Server({ handle, clock, limits }: Http2ServerDeps): Http2Server {
  const sessions = new Map<ServerHttp2Session, Session>();
  let arriving: Arriving | undefined;
  const server = createServer({
    ...SESSION,
    Http2ServerRequest: Http2VisitorRequest,
    Http2ServerResponse: Http2VisitorResponse,
  });
  server.on('session', (session) => {
    if (arriving !== undefined) addSession(session, arriving);
  });
  server.on('request', serveRequest);
  server.on('checkContinue', serveRequest);
  const sweep = setInterval(closeIdleSessions, SWEEP_MS);
  sweep.unref();

  function addSession(session: ServerHttp2Session, arrived: Arriving): void {
    const controlFrames = createRateLimit(CONTROL_FRAMES, clock);
    sessions.set(session, { ...arrived, openStreams: 0, idleSince: clock.now(), isUsed: false });
    session.setLocalWindowSize(CONNECTION_WINDOW);
    session.on('close', () => sessions.delete(session));
    session.on('ping', countControlFrame);
    session.on('remoteSettings', countControlFrame);

    function countControlFrame(): void {
      if (!controlFrames.take()) session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM);
    }
  }

  function serveRequest(request: Http2VisitorRequest, response: Http2VisitorResponse): void {
    const { stream } = request;
    const session = sessions.get(stream.session as ServerHttp2Session);
    if (session === undefined) {
      stream.close(constants.NGHTTP2_REFUSED_STREAM);
      return;
    }
    countOpenStream(session, stream);
    stream.setTimeout(limits.idleMs, () => {
      if (response.listenerCount('timeout') === 0) stream.close(constants.NGHTTP2_CANCEL);
    });
    if (headerBytes(request.rawHeaders) > MAX_HEADER_BYTES) {
      response.writeHead(431).end();
      return;
    }
    // The two have all that the proxy uses of a request and a response over HTTP/1.1.
    const [http1Request, http1Response]: unknown[] = [request, response];
    handle(http1Request as IncomingMessage, http1Response as ServerResponse, session.connection);
  }

  function countOpenStream(session: Session, stream: Http2VisitorRequest['stream']): void {
    session.isUsed = true;
    session.openStreams += 1;
    stream.on('close', () => {
      session.openStreams -= 1;
      session.idleSince = clock.now();
    });
  }

  function closeIdleSessions(): void {
    const now = clock.now();
    for (const [session, { socket, openStreams, idleSince, isUsed }] of sessions) {
      if (openStreams > 0) continue;
      const allowedMs = isUsed ? limits.keepAliveMs : limits.headersMs;
      // Frames that are no requests keep no connection open, nor does a visitor that ignores the end of it.
      if (now - idleSince >= allowedMs + CLOSE_MS) socket.destroy();
      else if (now - idleSince >= allowedMs) session.close();
    }
  }

  return {
    serve(socket, connection) {
      // The listeners allow half-open connections. HTTP/2 has none: the visitor is gone.
      socket.on('end', () => socket.destroy());
      // The event `session` is emitted during the call.
      arriving = { socket, connection };
      server.emit('connection', socket);
      arriving = undefined;
    },
    close() {
      for (const session of sessions.keys()) session.close();
    },
  };
}

function headerBytes(rawHeaders: readonly string[]): number {
  let bytes = 0;
  for (const text of rawHeaders) bytes += text.length;
  return bytes;
}
