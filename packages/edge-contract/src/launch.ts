import type { ListenerInfo } from './messages.ts';

/** What `launch.mjs` reads from its standard input, as JSON. */
export type LaunchRequest = {
  /** The edge folder: secret, snapshot, control socket. */
  folder: string;
  /** The Node binary for keeper and workers. */
  node: string;
  /** Port 0 picks a free one. */
  listeners: ListenerInfo[];
  /** The user of keeper and workers. Undefined: the user of `launch`. */
  identity?: { uid: number; gid: number } | undefined;
};

/** The one line that `launch.mjs` prints: the keeper answers on the control socket, or why there is none. */
export type LaunchResult =
  | { kind: 'launched'; pid: number; listeners: ListenerInfo[] }
  /** `listener` and `code`, such as EADDRINUSE: it could not be bound. */
  | { kind: 'failed'; text: string; listener?: ListenerInfo; code?: string };
