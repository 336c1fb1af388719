import type { ListenerInfo } from '@longshore/edge-contract';

/** What a new keeper gets from the process that started it: `launch`, or the keeper it replaces. */
export type KeeperStart = {
  kind: 'start';
  /** With their real ports. */
  listeners: ListenerInfo[];
  /** How many sockets each listener has. They are inherited: all slots of the first listener, then the next. */
  slots: number;
  /** Of the keeper that is replaced. */
  handover?: Handover | undefined;
};

/** Everything else is in the snapshot. */
export type Handover = { ticketKeys: string; pendingWakes: string[] };

/** Sent by a keeper when its workers listen and it answers on the control socket. */
export type KeeperReady = { kind: 'ready'; pid: number } | { kind: 'failed'; text: string };
