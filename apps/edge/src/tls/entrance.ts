import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { type Clock, type StateChange, unmapped } from '@longshore/edge-contract';
import { createVisitorServer } from '../proxy/http-server.ts';
import { LIMITS, type ProxyLimits } from '../proxy/limits.ts';
import type { EdgeProxy, VisitorConnection } from '../proxy/proxy.ts';
import type { CertificateStore } from './certificate-store.ts';
import { createCrowd } from './crowd.ts';
import { createHttp2Server } from './http2-server.ts';
import { readProxyHeader } from './proxy-protocol.ts';
import { createTlsServer, TLS_LIMITS, type TlsLimits } from './tls-server.ts';

const PROXY_HEADER_MS = 5_000;

type EntranceLimits = Record<'connections' | 'keepAliveMs' | 'proxyHeaderMs', number>;

export type EntranceDeps = {
  proxy: Pick<EdgeProxy, 'handle' | 'handleUpgrade' | 'isTrustedProxy'>;
  certificates: CertificateStore;
  clock: Clock;
  limits?: Partial<ProxyLimits & TlsLimits & EntranceLimits>;
};

/** Takes the connections of visitors and gives their requests to the proxy: HTTP/1.1 and HTTP/2, plain and TLS. */
export type Entrance = {
  /** For listeners that allow half-open connections, as HTTP/1.1 does. */
  accept(socket: Socket, scheme: VisitorConnection['scheme']): void;
  apply(change: Pick<StateChange, 'settings'>): void;
  /** 48 bytes, the same in all workers: a session is resumed by any of them. Sessions of other keys are not resumed. */
  setTicketKeys(keys: Buffer): void;
  /** Call after the listeners were closed. The next response on each connection is its last one. */
  announceEnd(): void;
  /** Closes connections that have no request now. Call it again until all are closed. */
  closeIdle(): void;
};

export function createEntrance(deps: EntranceDeps): Entrance {
  const { proxy, certificates, clock } = deps;
  const limits = { ...LIMITS, ...TLS_LIMITS, proxyHeaderMs: PROXY_HEADER_MS, ...deps.limits };
  const crowd = createCrowd({ size: limits.connections });
  const connections = new WeakMap<Socket, VisitorConnection>();
  const http1 = createVisitorServer(proxy, { limits, connections });
  // Node checks the timeouts of a server once it listens. This one gets its connections from others.
  http1.emit('listening');
  const http2 = createHttp2Server({ handle: proxy.handle, clock, limits });
  const tls = createTlsServer({ certificates, limits, onSecured: serveSecured });
  let readsProxyHeader = false;

  function serve(socket: Socket, scheme: VisitorConnection['scheme'], address: string): void {
    const isProxied = proxy.isTrustedProxy(address);
    // Connections of a proxy are those of many visitors.
    if (!isProxied && !crowd.admit(socket, address)) {
      socket.destroy();
      return;
    }
    connections.set(socket, { address, scheme, isProxied, openRequests: 0 });
    if (scheme === 'https') tls.handshake(socket);
    else http1.emit('connection', socket);
  }

  function serveSecured(secured: TLSSocket, socket: Socket): void {
    const connection = connections.get(socket);
    if (connection === undefined) {
      secured.destroy();
      return;
    }
    connections.set(secured, connection);
    if (secured.alpnProtocol === 'h2') http2.serve(secured, connection);
    else http1.emit('connection', secured);
  }

  return {
    accept(socket, scheme) {
      const peer = unmapped(socket.remoteAddress ?? '');
      if (!readsProxyHeader) serve(socket, scheme, peer);
      // Anybody else could claim to be any visitor.
      else if (!proxy.isTrustedProxy(peer)) socket.destroy();
      else {
        readProxyHeader(socket, limits.proxyHeaderMs, (source) =>
          serve(socket, scheme, source ?? peer),
        );
      }
    },
    apply({ settings }) {
      if (settings !== undefined) readsProxyHeader = settings.proxyProtocol;
    },
    setTicketKeys: tls.setTicketKeys,
    announceEnd() {
      http1.prependListener('request', (_request, response) => {
        response.shouldKeepAlive = false;
      });
      http2.close();
    },
    closeIdle: () => http1.closeIdleConnections(),
  };
}
