import type { IncomingMessage } from 'node:http';
import { type Connection, connectionOf, type IsTrustedProxy } from '@longshore/edge-contract';

/** A visitor's connection. `isProxied`: the peer is a trusted proxy, which names the visitor in each request. */
export type VisitorConnection = {
  /** The address of the peer, or the one that PROXY protocol names. Not IPv4-mapped. */
  address: string;
  scheme: 'http' | 'https';
  isProxied: boolean;
  /** Requests that have not ended. */
  openRequests: number;
};

/** What a trusted proxy says about the visitor. */
export function proxiedConnection(
  request: IncomingMessage,
  { address, scheme }: VisitorConnection,
  isTrustedProxy: IsTrustedProxy,
): Pick<Connection, 'address' | 'protocol'> {
  const { headers } = request;
  const named = connectionOf({ headers, socket: { remoteAddress: address } }, isTrustedProxy);
  const namesProtocol = headers['x-forwarded-proto'] !== undefined;
  return { address: named.address, protocol: namesProtocol ? named.protocol : scheme };
}
