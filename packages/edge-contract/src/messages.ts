/** The version of the protocol between server and edge. Another version means: replace the edge. */
export const PROTOCOL = 1;

/** A longer line ends the connection. See `isSendable`. */
export const MAX_LINE_BYTES = 1_048_576;

/** Where an instance listens. */
export type Address = { host: string; port: number };

/**
 * An instance that may get requests. A draining one gets no new ones. The console listens on a unix socket. `instance`: its id
 * within the app, which sticky sessions name.
 */
export type Target = (Address | { socket: string }) & {
  state: 'ready' | 'draining';
  instance?: string;
};

/** How requests for the hosts of an app are handled. */
export type RouteState =
  | { kind: 'live'; targets: Target[] }
  | { kind: 'starting' }
  /** `wakesOnRequest`: the next request wakes the app. */
  | { kind: 'hibernated'; wakesOnRequest: boolean }
  | { kind: 'failed' };

/** What the edge knows about one app. The console is an app with the id `CONSOLE_ID`. */
export type AppRoute = {
  appId: string;
  /** A host belongs to the app that claimed it first; when that app releases it, to the next claimant. */
  hosts: string[];
  state: RouteState;
  /** The app is hibernated after this time without traffic. */
  sleepAfterMs?: number | undefined;
  policy?: EdgePolicy | undefined;
};

export const CONSOLE_ID = 'console';

/** The settings `edge` of an app, as the edge applies them. */
export type EdgePolicy = {
  /**
   * Unless it is false, HTTP is redirected as soon as the host has a certificate. True: also when a trusted proxy, which may have
   * the certificate, names HTTP as the protocol of the visitor.
   */
  forceHttps?: boolean;
  hsts?: boolean;
  basicAuth?: { username: string; passwordHash: string };
  allowedIps?: string[];
  maxBodyBytes?: number;
  timeoutMs?: number;
  headers?: Record<string, string>;
  /** A cookie names the instance that answered first; requests go there as long as it is a target. */
  stickySessions?: boolean;
  maintenance?: boolean;
  redirects?: { from: string; to: string }[];
};

/** Forwards the bytes of a port. `allowedIps` undefined: everybody may connect. */
export type TcpRoute = {
  id: string;
  port: number;
  targets: Target[];
  allowedIps?: string[] | undefined;
};

/** A certificate chain with its key, both PEM. A name may start with `*.`. */
export type EdgeCertificate = { id: string; names: string[]; chain: string; key: string };

/** Settings of the whole edge. */
export type EdgeSettings = {
  trustedProxies: string[];
  /** Networks of apps, which are never trusted proxies. */
  appNetworks: string[];
  proxyProtocol: boolean;
  /** The port of https URLs in redirects: what visitors type. Undefined: there is no HTTPS. */
  publicHttpsPort?: number | undefined;
  /** The port in the console's URL. */
  consolePort?: number | undefined;
};

/** Everything the edge needs to serve without the server. Written to disk, sealed. */
export type EdgeState = {
  settings: EdgeSettings;
  routes: AppRoute[];
  tcpRoutes: TcpRoute[];
  certificates: EdgeCertificate[];
  /** ACME HTTP-01: the response per token. */
  challenges: Record<string, string>;
};

/** A part of the state that changed. Entries replace those of the same id as a whole. */
export type StateChange = {
  settings?: EdgeSettings;
  routes?: AppRoute[];
  /** For apps without a route. An app that has one keeps it, as if it were named again. */
  newRoutes?: AppRoute[];
  removedApps?: string[];
  tcpRoutes?: TcpRoute[];
  removedTcpRoutes?: string[];
  certificates?: EdgeCertificate[];
  removedCertificates?: string[];
  challenges?: Record<string, string>;
  removedChallenges?: string[];
};

/** Messages of the server, one JSON object per line. The first is `hello`. */
export type ServerMessage =
  | { kind: 'hello'; protocol: number; secret: string; installation: string }
  /** All state follows in changes; at the end the edge drops what was not named since the begin. */
  | { kind: 'sync'; phase: 'begin' | 'end' }
  /** Answered with `pong`. */
  | { kind: 'ping' }
  | { kind: 'change'; change: StateChange }
  /** Answered with `drained`, when no request uses the target any more, or after the timeout. */
  | { kind: 'drain'; id: number; target: Address; timeoutMs: number }
  /** Answered with `idle`, if the app is idle now. Asked when another edge has reported it. */
  | { kind: 'ask-idle'; appId: string }
  /** The app may not wake now: its held requests are refused. */
  | { kind: 'wake-refused'; appId: string }
  /** Answers `counters`: the edge forgets them. */
  | { kind: 'counters-stored'; run: string; batch: number }
  /** The edge starts this program, hands its listeners over, drains and exits. */
  | { kind: 'replace'; node: string; program: string }
  | { kind: 'stop'; drainMs: number };

/** Messages of the edge. The first answers `hello`. */
export type EdgeMessage =
  | {
      kind: 'welcome';
      protocol: number;
      build: string;
      pid: number;
      listeners: ListenerInfo[];
      /** Whether `ask-idle` may be sent. Edges of earlier versions close the connection. */
      answersAskIdle?: boolean;
    }
  | { kind: 'refused'; reason: string }
  /** After `welcome`, and when a number changes. */
  | { kind: 'workers'; running: number; parked: number }
  /** The state up to the last `sync` end is in effect in every worker. */
  | { kind: 'synced' }
  | { kind: 'pong' }
  | { kind: 'drained'; id: number }
  | { kind: 'wake'; appId: string }
  /** The app had no traffic for its `sleepAfterMs`. */
  | { kind: 'idle'; appId: string }
  /** `omitted`: per app, the requests without a line, because there were too many. */
  | { kind: 'access'; lines: AccessLine[]; omitted: Record<string, number> }
  /**
   * Sent again after each hello until `counters-stored` arrives. The batches of a run, which is one process of the
   * keeper, are numbered in the order they are sent, so that none is counted twice.
   */
  | { kind: 'counters'; run: string; batch: number; counters: AppCounters[] }
  | { kind: 'report'; level: 'info' | 'warn' | 'error'; text: string };

export type ListenerInfo = { protocol: 'http' | 'https'; host: string; port: number };

/** One request in the access log. The path has no query: it may contain secrets. */
export type AccessLine = {
  appId: string;
  at: number;
  method: string;
  host: string;
  path: string;
  status: number;
  durationMs: number;
  /** Of the response, without its head. */
  bytes: number;
};

/** The requests of one app that ended within one minute. */
export type AppCounters = {
  appId: string;
  /** Minutes since 1970. */
  minute: number;
  /** Responses 1xx to 5xx. */
  statuses: [number, number, number, number, number];
  /** Durations, counted per bucket of `LATENCY_BOUNDS_MS`; the last bucket has no bound. Without websockets. */
  latencies: number[];
  /** The sum of those durations. Edges of earlier versions do not report it. */
  durationMs?: number;
  bytesIn: number;
  bytesOut: number;
};

export const LATENCY_BOUNDS_MS = [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000];
