/** Limits of the ingress. Bodies have no size limit: they are streamed with backpressure. */
export const LIMITS = {
  /** A client must have sent all its headers by then. */
  headersMs: 15_000,
  connectionCheckMs: 5_000,
  /** A connection without any bytes in either direction is closed after this time. */
  idleMs: 300_000,
  /** A websocket may be silent for longer. */
  websocketIdleMs: 3_600_000,
  /** How long one direction of a websocket stays open after the other has ended. */
  halfClosedMs: 30_000,
  keepAliveMs: 65_000,
  connectMs: 10_000,
  /** Below the five seconds after which many app servers close idle connections. */
  upstreamKeepAliveMs: 4_000,
  connections: 10_000,
  inFlightPerTarget: 1_024,
  freeSocketsPerTarget: 64,
  /** A browser that waits longer than this for an app to start gets the "starting" page. */
  pageHoldMs: 1_000,
  /** How long other requests are held: less than a minute, the timeout of many proxies in front of the ingress. */
  holdMs: 50_000,
  heldPerApp: 256,
  heldTotal: 1_024,
  concurrentWakes: 4,
  wakeTimeoutMs: 60_000,
} as const;
