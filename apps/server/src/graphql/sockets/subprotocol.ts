import type { GraphqlCaller } from '../resolve-caller.ts';
import type { Admission } from './admission.ts';
import type { Goodbye } from './close-reasons.ts';
import type { Outbox } from './outbox.ts';

/** The other end of a socket, as a dialect sees it. */
export type Peer = {
  outbox: Outbox;
  /** `public` until it is admitted. */
  caller(): GraphqlCaller;
  /** Finds out who it is, by what its first message says. */
  admit(params: unknown): Promise<Admission>;
  close(goodbye: Goodbye): void;
};

/** One conversation. */
export type Conversation = {
  /** Rejects only with what nobody foresaw. */
  hear(text: string): Promise<void>;
  /** Stops what was running. */
  ended(code: number, reason: string): Promise<void>;
};

/** A subprotocol: how the same things are said over a socket. */
export type Dialect = {
  open(peer: Peer): Conversation;
  /** What is sent now and then, so that nobody between us takes the connection for dead. */
  keepAlive: { text: string; every: 'tick' | 'ping' };
};
