import {
  type EdgeMessage,
  type EdgeState,
  MAX_LINE_BYTES,
  type ServerMessage,
  type StateChange,
} from './messages.ts';

/** Undefined: the line is no JSON, of an unknown kind, or has a part of the wrong type. */
export function parseServerMessage(line: string): ServerMessage | undefined {
  return parse(line, SERVER_MESSAGES) as ServerMessage | undefined;
}

/** Undefined: the line is no JSON, of an unknown kind, or has a part of the wrong type. */
export function parseEdgeMessage(line: string): EdgeMessage | undefined {
  return parse(line, EDGE_MESSAGES) as EdgeMessage | undefined;
}

/** The rest of the message around a change. */
const ENVELOPE_BYTES = 64;

/** Whether the edge accepts a change: one that is too large or has a part of the wrong type would end the connection. */
export function isSendable(change: StateChange): boolean {
  const bytes = Buffer.byteLength(JSON.stringify(change));
  return bytes + ENVELOPE_BYTES <= MAX_LINE_BYTES && isChange(change);
}

type Check = (value: unknown) => boolean;

/** Names, hosts, paths: longer ones are no honest mistake. */
const MAX_TEXT = 16_384;
/** Of a certificate chain, and of a key. */
export const MAX_PEM_LENGTH = 262_144;

const isText = textUpTo(MAX_TEXT);
const isBoolean: Check = (value) => typeof value === 'boolean';
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isNumber: Check = (value) => Number.isFinite(value) && (value as number) >= 0;
const isPort: Check = (value) =>
  isCount(value) && (value as number) > 0 && (value as number) < 65_536;
const isTexts = listOf(isText);
const isTextRecord = recordOf(isText);

const isAddress = shape({ host: isText, port: isPort });
const isTarget = both(
  anyOf(isAddress, shape({ socket: isText })),
  shape({ state: oneOf('ready', 'draining'), instance: optional(isText) }),
);
const isPolicy = shape({
  forceHttps: optional(isBoolean),
  hsts: optional(isBoolean),
  basicAuth: optional(shape({ username: isText, passwordHash: isText })),
  allowedIps: optional(isTexts),
  maxBodyBytes: optional(isCount),
  timeoutMs: optional(isCount),
  headers: optional(isTextRecord),
  stickySessions: optional(isBoolean),
  maintenance: optional(isBoolean),
  redirects: optional(listOf(shape({ from: isText, to: isText }))),
});
const isRoute = shape({
  appId: isText,
  hosts: isTexts,
  state: byKind({
    live: shape({ targets: listOf(isTarget) }),
    starting: shape({}),
    hibernated: shape({ wakesOnRequest: isBoolean }),
    failed: shape({}),
  }),
  sleepAfterMs: optional(isCount),
  policy: optional(isPolicy),
});
const isTcpRoute = shape({
  id: isText,
  port: isPort,
  targets: listOf(isTarget),
  allowedIps: optional(isTexts),
});
const isPem = textUpTo(MAX_PEM_LENGTH);
const isCertificate = shape({ id: isText, names: isTexts, chain: isPem, key: isPem });
const isSettings = shape({
  trustedProxies: isTexts,
  appNetworks: isTexts,
  proxyProtocol: isBoolean,
  publicHttpsPort: optional(isPort),
  consolePort: optional(isPort),
});
const isChange = shape({
  settings: optional(isSettings),
  routes: optional(listOf(isRoute)),
  newRoutes: optional(listOf(isRoute)),
  removedApps: optional(isTexts),
  tcpRoutes: optional(listOf(isTcpRoute)),
  removedTcpRoutes: optional(isTexts),
  certificates: optional(listOf(isCertificate)),
  removedCertificates: optional(isTexts),
  challenges: optional(isTextRecord),
  removedChallenges: optional(isTexts),
});

const isState = shape({
  settings: isSettings,
  routes: listOf(isRoute),
  tcpRoutes: listOf(isTcpRoute),
  certificates: listOf(isCertificate),
  challenges: isTextRecord,
});

/** For a state that another version may have written. */
export function isEdgeState(value: unknown): value is EdgeState {
  return isState(value);
}

const SERVER_MESSAGES: Record<ServerMessage['kind'], Check> = {
  hello: shape({ protocol: isCount, secret: isText, installation: isText }),
  sync: shape({ phase: oneOf('begin', 'end') }),
  ping: shape({}),
  change: shape({ change: isChange }),
  drain: shape({ id: isCount, target: isAddress, timeoutMs: isCount }),
  'ask-idle': shape({ appId: isText }),
  'wake-refused': shape({ appId: isText }),
  'counters-stored': shape({ run: isText, batch: isCount }),
  replace: shape({ node: isText, program: isText }),
  stop: shape({ drainMs: isCount }),
};

const isListener = shape({ protocol: oneOf('http', 'https'), host: isText, port: isPort });
const isAccessLine = shape({
  appId: isText,
  at: isNumber,
  method: isText,
  host: isText,
  path: isText,
  status: isCount,
  durationMs: isNumber,
  bytes: isCount,
});
const isCounters = shape({
  appId: isText,
  minute: isCount,
  statuses: both(listOf(isCount), (value) => (value as unknown[]).length === 5),
  latencies: both(listOf(isCount), (value) => (value as unknown[]).length <= 64),
  durationMs: optional(isNumber),
  bytesIn: isCount,
  bytesOut: isCount,
});

const EDGE_MESSAGES: Record<EdgeMessage['kind'], Check> = {
  welcome: shape({
    protocol: isCount,
    build: isText,
    pid: isCount,
    listeners: listOf(isListener),
    answersAskIdle: optional(isBoolean),
  }),
  refused: shape({ reason: isText }),
  workers: shape({ running: isCount, parked: isCount }),
  synced: shape({}),
  pong: shape({}),
  drained: shape({ id: isCount }),
  wake: shape({ appId: isText }),
  idle: shape({ appId: isText }),
  access: shape({ lines: listOf(isAccessLine), omitted: recordOf(isCount) }),
  counters: shape({ run: isText, batch: isCount, counters: listOf(isCounters) }),
  report: shape({ level: oneOf('info', 'warn', 'error'), text: isText }),
};

function parse(line: string, checks: Record<string, Check>): unknown {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  return byKind(checks)(value) ? value : undefined;
}

function byKind(checks: Record<string, Check>): Check {
  return (value) => {
    const kind = isObject(value) ? value.kind : undefined;
    return (
      typeof kind === 'string' && Object.hasOwn(checks, kind) && checks[kind]?.(value) === true
    );
  };
}

/** Other parts are allowed: a later version may send them. */
function shape(parts: Record<string, Check>): Check {
  const entries = Object.entries(parts);
  return (value) => isObject(value) && entries.every(([name, check]) => check(value[name]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textUpTo(maxLength: number): Check {
  return (value) => typeof value === 'string' && value.length <= maxLength;
}

function optional(check: Check): Check {
  return (value) => value === undefined || check(value);
}

function listOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check);
}

function recordOf(check: Check): Check {
  return (value) => isObject(value) && Object.values(value).every(check);
}

function oneOf(...values: string[]): Check {
  return (value) => typeof value === 'string' && values.includes(value);
}

function anyOf(...checks: Check[]): Check {
  return (value) => checks.some((check) => check(value));
}

function both(one: Check, other: Check): Check {
  return (value) => one(value) && other(value);
}
