import { GRAPHQL_TRANSPORT_WS_PROTOCOL } from 'graphql-ws';
import type { GraphqlCaller } from '../resolve-caller.ts';
import type { Admission } from './admission.ts';
import type { CloseReason } from './close-reasons.ts';
import type { Outbox } from './outbox.ts';

/** The client at the other end of a socket. */
export type Peer = {
  outbox: Outbox;
  /** `public` until the peer is admitted. */
  caller(): GraphqlCaller;
  /** Authenticates the peer with the payload of its first message. */
  admit(params: unknown): Promise<Admission>;
  close(reason: CloseReason): void;
};

/** The state of a subprotocol on one socket. */
export type ProtocolSession = {
  /** Handles a message. Rejects only with unexpected errors. */
  receive(text: string): Promise<void>;
  /** Stops all running operations. */
  closed(code: number, reason: string): Promise<void>;
};

/** A websocket subprotocol for GraphQL. */
export type Subprotocol = {
  open(peer: Peer): ProtocolSession;
  /** Sent regularly, so that proxies do not close an idle connection. */
  keepAlive: { text: string; every: 'tick' | 'ping' };
};

export type SubprotocolName = 'modern' | 'legacy';

/** The names on the wire. The name of the legacy one is also the name of the modern one's library. */
export const SUBPROTOCOLS: Record<SubprotocolName, string> = {
  modern: GRAPHQL_TRANSPORT_WS_PROTOCOL,
  legacy: 'graphql-ws',
};

/** Hasura's rule: modern only for clients that offer nothing else; legacy for several, unknown or no subprotocols. */
export function negotiateSubprotocol(offered: ReadonlySet<string>): SubprotocolName {
  return offered.size === 1 && offered.has(SUBPROTOCOLS.modern) ? 'modern' : 'legacy';
}
