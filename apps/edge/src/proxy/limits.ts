/** Limits of the proxy. Bodies have no size limit: they are streamed with backpressure. */
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
  /** How much of the rest of a body is read after the response was sent. */
  lingerMs: 30_000,
  lingerBytes: 64 * 1024 * 1024,
  /** Of each window, so many bytes per second of an upload must arrive. A modem of 1995 sends ten times as many. */
  uploadWindowMs: 30_000,
  minUploadBytesPerSecond: 240,
  keepAliveMs: 65_000,
  tcpConnectionsPerRoute: 1_000,
  tcpKeepAliveMs: 60_000,
  tcpHalfClosedMs: 600_000,
  connectMs: 10_000,
  /** While another target can be tried. */
  connectMsBesideOthers: 2_000,
  /** Below the five seconds after which many app servers close idle connections. */
  upstreamKeepAliveMs: 4_000,
  /** TCP asks a silent app's machine after this time whether it is there, and gives up 10 s later. */
  upstreamProbeMs: 15_000,
  /** Of visitors. When there are more, the address with the most loses its oldest one. */
  connections: 20_000,
  /** Those of trusted proxies, and those whose visitor is not known yet, come on top. */
  acceptedConnections: 24_000,
  /** Requests of one connection over HTTP/1.1 at a time. Browsers send one after the other. */
  pipelinedRequests: 64,
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

/** Those that tests and benchmarks change. */
export type ProxyLimits = Record<
  | 'headersMs'
  | 'idleMs'
  | 'inFlightPerTarget'
  | 'pageHoldMs'
  | 'holdMs'
  | 'heldPerApp'
  | 'heldTotal'
  | 'concurrentWakes'
  | 'wakeTimeoutMs',
  number
>;
