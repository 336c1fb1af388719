/** Bounds of the ingress. A body has none: it streams, and a slow reader slows its writer. */
export const LIMITS = {
  /** A client must have sent its whole header by then. */
  headersMs: 15_000,
  connectionCheckMs: 5_000,
  /** A connection on which nothing moves, either way, ends then. */
  idleMs: 300_000,
  /** A websocket may be silent for longer. */
  websocketIdleMs: 3_600_000,
  /** How long one direction of a websocket stays open after the other has ended. */
  halfClosedMs: 30_000,
  keepAliveMs: 65_000,
  connectMs: 10_000,
  /** Below the five seconds after which many app servers hang up. */
  upstreamKeepAliveMs: 4_000,
  connections: 10_000,
  inFlightPerTarget: 1_024,
  freeSocketsPerTarget: 64,
  /** Somebody before a browser who waits longer than this for an app that starts is shown a page. */
  pageMs: 1_000,
  /** Everybody else waits for so long: less than the minute after which proxies before us give up. */
  holdMs: 50_000,
  heldPerApp: 256,
  heldAtAll: 1_024,
  wakesAtOnce: 4,
  wakeMs: 60_000,
} as const;
