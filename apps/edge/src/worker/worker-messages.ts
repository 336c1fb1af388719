import type { Address, ListenerInfo, StateChange } from '@longshore/edge-contract';
import type { AccessReport } from '../access/access-log.ts';
import type { AccessHandover } from '../access/access-relay.ts';

/** Messages of the keeper to a worker. They are applied in order. */
export type KeeperToWorker =
  /** The first. `descriptors`: the sockets to listen on, in the order of the inherited descriptors. */
  | {
      kind: 'start';
      descriptors: SlotDescriptor[];
      state: StateChange;
      /** 48 bytes, base64: visitors may resume a TLS session at any worker. */
      ticketKeys: string;
    }
  | { kind: 'change'; id: number; change: StateChange }
  | { kind: 'ticket-keys'; ticketKeys: string }
  | { kind: 'drain'; id: number; target: Address; timeoutMs: number }
  | { kind: 'wake-refused'; appId: string }
  /** Another worker accepts the connections of these slots from now on. */
  | { kind: 'release'; slots: number[] }
  | { kind: 'ask-activity'; id: number }
  | { kind: 'ping' }
  /** Accepts no more connections and exits when the last one has ended, or after `drainMs`. */
  | { kind: 'stop'; drainMs?: number | undefined };

/** Messages of a worker. */
export type WorkerToKeeper =
  | { kind: 'listening' }
  | { kind: 'applied'; id: number }
  | { kind: 'drained'; id: number }
  | { kind: 'wake'; appId: string }
  /** How long each app that had traffic since the worker started has been without. */
  | { kind: 'activity'; id: number; quietMs: Record<string, number> }
  /** `utilization`: the busy share of the event loop since the last ping. */
  | { kind: 'pong'; utilization: number }
  /** An error that nobody handled: it may be in a wrong state. It serves until another one listens. */
  | { kind: 'failing'; text: string }
  | { kind: 'access'; report: AccessReport }
  /** The last message, before a worker exits. */
  | { kind: 'last-activity'; quietMs: Record<string, number> }
  /** Of a keeper that is replaced. */
  | { kind: 'access-handover'; handover: AccessHandover }
  | { kind: 'report'; level: 'info' | 'warn' | 'error'; text: string };

/** A listening socket. Each listener has one per slot; the kernel spreads connections over the slots. */
export type SlotDescriptor = { protocol: ListenerInfo['protocol']; slot: number };

/** The number of the first inherited descriptor: after the standard streams and the channel. */
export const FIRST_DESCRIPTOR = 4;
