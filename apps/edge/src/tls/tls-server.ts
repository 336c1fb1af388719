import { constants } from 'node:crypto';
import type { Socket } from 'node:net';
import { createServer, type SecureContextOptions, type TLSSocket, type TlsOptions } from 'node:tls';
import type { CertificateStore } from './certificate-store.ts';

/**
 * TLS 1.2 only with forward secrecy and authenticated encryption; TLS 1.3 has no other ciphers. The session id context is
 * the same in all workers, because a session is only resumed where it is equal.
 */
export const CONTEXT_OPTIONS: SecureContextOptions = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_128_GCM_SHA256',
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
  ].join(':'),
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  sessionIdContext: 'longshore-edge',
};

type SniSelector = NonNullable<TlsOptions['SNICallback']>;
type SniCallback = Parameters<SniSelector>[1];

/** A TLS record: an alert, fatal, `unrecognized_name` (RFC 6066 §3). Nothing is encrypted before the server's hello. */
const UNRECOGNIZED_NAME = Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x70]);

export type TlsLimits = {
  /** A handshake must be complete by then. */
  handshakeMs: number;
  /** When there are more handshakes, the oldest is cut: honest ones take milliseconds. */
  handshakes: number;
};

export const TLS_LIMITS: TlsLimits = { handshakeMs: 10_000, handshakes: 512 };

export type TlsServerDeps = {
  certificates: Pick<CertificateStore, 'has' | 'context'>;
  limits: TlsLimits;
  /** The connection is `socket` before, and `secured` after the handshake. */
  onSecured(secured: TLSSocket, socket: Socket): void;
};

/** Does the TLS handshakes of connections that others accepted. There is no certificate for unknown names. */
export type TlsServer = {
  handshake(socket: Socket): void;
  setTicketKeys(keys: Buffer): void;
};

export function createTlsServer({ certificates, limits, onSecured }: TlsServerDeps): TlsServer {
  const handshakes = new Set<Socket>();
  const server = createServer({
    ...CONTEXT_OPTIONS,
    ALPNProtocols: ['h2', 'http/1.1'],
    handshakeTimeout: limits.handshakeMs,
    // Node calls it as a method of the TLS socket.
    SNICallback: function (this: unknown, name: string, done: SniCallback) {
      const context = certificates.context(name.toLowerCase());
      const socket = plainSocketOf(this as TLSSocket);
      if (context !== undefined) done(null, context);
      else if (socket === undefined) done(new Error('Unknown server name'));
      else refuseName(socket);
    } as SniSelector,
  });
  server.on('tlsClientError', (_error, secured) => secured.destroy());
  server.on('secureConnection', (secured) => {
    const socket = plainSocketOf(secured);
    if (socket !== undefined) handshakes.delete(socket);
    // Nobody was asked for the certificate of a resumed session. OpenSSL does not report the name of one of TLS 1.2.
    const name = secured.servername || undefined;
    const isRemoved = name !== undefined && !certificates.has(name.toLowerCase());
    if (socket === undefined || isRemoved) secured.destroy();
    else onSecured(secured, socket);
  });

  function cutOldest(): void {
    for (const oldest of handshakes) {
      oldest.destroy();
      handshakes.delete(oldest);
      return;
    }
  }

  return {
    handshake(socket) {
      handshakes.add(socket);
      socket.on('close', () => handshakes.delete(socket));
      // The visitor may be gone before it gets the alert. An error is always followed by a close.
      socket.on('error', () => {});
      if (handshakes.size > limits.handshakes) cutOldest();
      server.emit('connection', socket);
    },
    setTicketKeys: (keys) => server.setTicketKeys(keys),
  };
}

function refuseName(socket: Socket): void {
  socket.end(UNRECOGNIZED_NAME);
  socket.destroySoon();
}

/** Node has no public name for the connection below a TLS socket. */
function plainSocketOf(secured: TLSSocket): Socket | undefined {
  return (secured as TLSSocket & { _parent?: Socket })._parent;
}
