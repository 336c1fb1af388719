import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect as connectHttp2,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { isIP } from 'node:net';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';

/** Options of requests have others too, such as the signal of one request, which must not end the connection. */
const TLS_FIELDS = [
  'ca',
  'cert',
  'key',
  'pfx',
  'passphrase',
  'rejectUnauthorized',
  'servername',
] as const;

/** What a client proves its identity with, and checks that of the server with. */
export type TlsOptions = Pick<ConnectionOptions, (typeof TLS_FIELDS)[number]>;

/** Connections that many requests share. */
export type Http2Connections = {
  /** A new request; its connection is opened if none has room. Undefined: the server does not offer HTTP/2. */
  request(
    headers: OutgoingHttpHeaders,
    options: { tls: TlsOptions; hasBody: boolean; signal: AbortSignal },
  ): Promise<ClientHttp2Stream | undefined>;
};

type Opened = { session: ClientHttp2Session; socket: TLSSocket };

/** `requests`: those that use the connection, or wait for it. `limit`: how many the server allows. */
type Connection = {
  key: string;
  opened: Promise<Opened | undefined>;
  /** Undefined until it is open. */
  session?: ClientHttp2Session;
  requests: number;
  limit: number;
  idleTimer?: NodeJS.Timeout;
};

export type Http2Timeouts = {
  connectMs: number;
  /** Between two pings of a connection that is used. */
  pingMs: number;
  /** How long the response to a ping may take. */
  pongMs: number;
  /** How long a connection without requests stays open. */
  idleMs: number;
};

const TIMEOUTS: Http2Timeouts = {
  connectMs: 10_000,
  pingMs: 15_000,
  pongMs: 15_000,
  idleMs: 60_000,
};
/** Until the server has sent its own limit. */
const FIRST_LIMIT = 100;

/** Connections to one server. Other certificates get another connection, because a connection keeps those that it was opened with. */
export function createHttp2Connections(
  origin: URL,
  timeouts: Http2Timeouts = TIMEOUTS,
): Http2Connections {
  const connections = new Set<Connection>();

  function connectionFor(tls: TlsOptions): Connection {
    const key = keyOf(tls);
    for (const connection of connections) {
      if (hasRoom(connection) && connection.key === key) return connection;
    }
    const opened = openSession(origin, tls, timeouts.connectMs);
    const connection: Connection = { key, opened, requests: 0, limit: FIRST_LIMIT };
    connections.add(connection);
    opened.then(
      (found) => (found === undefined ? forget(connection) : keep(connection, found)),
      () => forget(connection),
    );
    return connection;
  }

  function forget(connection: Connection): void {
    connections.delete(connection);
  }

  function keep(connection: Connection, { session, socket }: Opened): void {
    connection.session = session;
    session.on('remoteSettings', ({ maxConcurrentStreams = FIRST_LIMIT }) => {
      connection.limit = maxConcurrentStreams;
    });
    const end = () => {
      stopPings();
      forget(connection);
    };
    const stopPings = pingSession(session, timeouts, () => {
      // The session closes only after the write in progress, which may never end.
      end();
      session.destroy(new Error('No response to a ping'));
      socket.destroy();
    });
    // The requests that it has may still be answered.
    session.once('goaway', () => forget(connection));
    session.once('close', end);
    // Each request reports it.
    session.on('error', end);
    closeIfIdle(connection);
  }

  function leave(connection: Connection): void {
    connection.requests -= 1;
    closeIfIdle(connection);
  }

  function closeIfIdle(connection: Connection): void {
    const { session, requests } = connection;
    if (session === undefined || requests > 0) return;
    // It does not keep the process alive.
    session.unref();
    const close = () => {
      forget(connection);
      session.close();
    };
    connection.idleTimer = setTimeout(close, timeouts.idleMs).unref();
  }

  return {
    async request(headers, { tls, hasBody, signal }) {
      const connection = connectionFor(tls);
      connection.requests += 1;
      clearTimeout(connection.idleTimer);
      try {
        const opened = await unlessAborted(connection.opened, signal);
        if (opened === undefined) return undefined;
        opened.session.ref();
        const stream = opened.session.request(headers, { signal, endStream: !hasBody });
        stream.once('close', () => leave(connection));
        return stream;
      } catch (error) {
        leave(connection);
        throw error;
      }
    },
  };
}

function hasRoom({ session, requests, limit }: Connection): boolean {
  return requests < limit && !session?.closed && !session?.destroyed;
}

/** Made for each request, so it is not hashed. */
function keyOf(tls: TlsOptions): string {
  return TLS_FIELDS.map((field) => String(tls[field])).join('\0');
}

async function openSession(
  origin: URL,
  tls: TlsOptions,
  timeoutMs: number,
): Promise<Opened | undefined> {
  const host = origin.hostname.replace(/^\[|\]$/g, '');
  const port = Number(origin.port || 443);
  const names = isIP(host) === 0 ? { servername: host } : {};
  const chosen = TLS_FIELDS.filter((field) => tls[field] !== undefined).map((field) => [
    field,
    tls[field],
  ]);
  const ALPNProtocols = ['h2', 'http/1.1'];
  const socket = connectTls({ host, port, ...names, ...Object.fromEntries(chosen), ALPNProtocols });
  await secured(socket, timeoutMs);
  if (socket.alpnProtocol !== 'h2') {
    socket.destroy();
    return undefined;
  }
  const session = connectHttp2(origin, {
    createConnection: () => socket,
    settings: { enablePush: false },
  });
  return { session, socket };
}

function secured(socket: TLSSocket, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      socket.destroy(new Error(`No connection within ${timeoutMs} ms`));
    }, timeoutMs);
    socket.once('secureConnect', () => {
      clearTimeout(timer);
      socket.off('error', reject);
      resolve();
    });
    socket.once('error', reject).once('close', () => {
      clearTimeout(timer);
      reject(new Error('The connection was closed'));
    });
  });
}

/** Without them, a connection that breaks silently would look like one on which nothing happens. */
function pingSession(
  session: ClientHttp2Session,
  { pingMs, pongMs }: Http2Timeouts,
  onLost: () => void,
): () => void {
  let deadline: NodeJS.Timeout | undefined;
  const ping = () => {
    if (session.destroyed || deadline !== undefined) return;
    deadline = setTimeout(onLost, pongMs).unref();
    session.ping(() => {
      clearTimeout(deadline);
      deadline = undefined;
    });
  };
  const timer = setInterval(ping, pingMs).unref();
  return () => {
    clearInterval(timer);
    clearTimeout(deadline);
  };
}

function unlessAborted<Result>(result: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
