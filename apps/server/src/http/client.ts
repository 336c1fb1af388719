import type { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import {
  type Connection,
  connectionOf,
  type IsTrustedProxy,
  unmapped,
} from '@longshore/edge-contract';
import type { Context, MiddlewareHandler } from 'hono';

/** The program that sent a request. */
export type Client = {
  address: string | undefined;
  userAgent: string | undefined;
  /** Whether a trusted proxy passed the request on. */
  isProxied: boolean;
};

const USER_AGENT_MAX_LENGTH = 300;
const CONNECTION = 'connection';

export type ConnectionSettings = {
  /** Undefined: no proxy is trusted. */
  isTrustedProxy: IsTrustedProxy | undefined;
  /** Connections that only the edge can open. */
  edgeSockets: WeakSet<object>;
  /** Whether another server forwarded the request. */
  isForwarded?: ((request: IncomingMessage) => boolean) | undefined;
};

/** Who sent a request, also through the edge, which names the visitor in each one. */
export function createConnectionReader(settings: ConnectionSettings) {
  const { isTrustedProxy, edgeSockets, isForwarded = () => false } = settings;
  return (request: IncomingMessage): Connection => {
    if (edgeSockets.has(request.socket)) return connectionOf(request, isUnixSocket);
    if (!isForwarded(request)) return connectionOf(request, isTrustedProxy);
    const sender = unmapped(request.socket.remoteAddress ?? '');
    return connectionOf(request, (address) => address === sender);
  };
}

/** A unix socket has no address. */
function isUnixSocket(address: string): boolean {
  return address === '';
}

/** Finds out who sent each request, for `clientOf`. In-memory requests have no address. */
export function identifyClients(
  readConnection: (request: IncomingMessage) => Connection,
): MiddlewareHandler {
  return (context, next) => {
    const incoming = (context.env as Partial<HttpBindings> | undefined)?.incoming;
    if (incoming !== undefined) context.set(CONNECTION, readConnection(incoming));
    return next();
  };
}

export function connectionOfRequest(context: Context): Connection | undefined {
  return context.get(CONNECTION);
}

export function clientOf(context: Context): Client {
  const connection = connectionOfRequest(context);
  return {
    address: connection?.address,
    userAgent: context.req.header('user-agent')?.slice(0, USER_AGENT_MAX_LENGTH),
    isProxied: connection?.isProxied ?? false,
  };
}
