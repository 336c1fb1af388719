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
} as const;
