import { expect, it } from 'vitest';
import { parseEdgeMessage, parseServerMessage } from './check-messages.ts';
import type { AppRoute, EdgeMessage, ServerMessage } from './messages.ts';

const live: AppRoute = {
  appId: 'a',
  hosts: ['a.test'],
  state: { kind: 'live', targets: [{ host: '127.0.0.1', port: 3000, state: 'ready' }] },
  sleepAfterMs: 60_000,
  policy: { hsts: true, allowedIps: ['10.0.0.0/8'], headers: { 'X-A': 'b' } },
};

const fromServer: ServerMessage[] = [
  { kind: 'hello', protocol: 1, secret: 's', installation: 'i' },
  { kind: 'sync', phase: 'begin' },
  { kind: 'change', change: {} },
  {
    kind: 'change',
    change: {
      settings: { trustedProxies: [], appNetworks: ['10.213.0.0/16'], proxyProtocol: false },
      routes: [live],
      newRoutes: [
        { appId: 'b', hosts: [], state: { kind: 'hibernated', wakesOnRequest: true } },
        {
          appId: 'console',
          hosts: [],
          state: { kind: 'live', targets: [{ socket: '/c', state: 'draining' }] },
        },
      ],
      removedApps: ['c'],
      tcpRoutes: [{ id: 't', port: 5432, targets: [], allowedIps: [] }],
      removedTcpRoutes: ['u'],
      certificates: [{ id: 'c', names: ['*.a.test'], chain: 'PEM', key: 'PEM' }],
      removedCertificates: ['d'],
      challenges: { token: 'response' },
      removedChallenges: ['other'],
    },
  },
  { kind: 'drain', id: 1, target: { host: '::1', port: 80 }, timeoutMs: 1000 },
  { kind: 'wake-refused', appId: 'a' },
  { kind: 'counters-stored', run: 'r', batch: 0 },
  { kind: 'replace', node: '/node', program: '/program' },
  { kind: 'ask-idle', appId: 'a' },
  { kind: 'stop', drainMs: 0 },
];

it.each(fromServer)('accepts the message $kind of a server', (message) => {
  expect(parseServerMessage(JSON.stringify(message))).toEqual(message);
});

it.each<[string, unknown]>([
  ['text', 'hello'],
  ['a list', [{ kind: 'stop', drainMs: 0 }]],
  ['null', null],
  ['an unknown kind', { kind: 'toString' }],
  ['a kind that is no text', { kind: ['stop'], drainMs: 0 }],
  ['a missing part', { kind: 'stop' }],
  ['a negative number', { kind: 'stop', drainMs: -1 }],
  ['a fraction', { kind: 'drain', id: 0.5, target: { host: 'a', port: 1 }, timeoutMs: 1 }],
  [
    'a port out of range',
    { kind: 'drain', id: 1, target: { host: 'a', port: 65_536 }, timeoutMs: 1 },
  ],
  [
    'a route of an unknown state',
    { kind: 'change', change: { routes: [{ ...live, state: { kind: 'x' } }] } },
  ],
  [
    'a route without hosts',
    { kind: 'change', change: { routes: [{ ...live, hosts: undefined }] } },
  ],
  [
    'a target without state',
    { kind: 'change', change: { tcpRoutes: [{ id: 't', port: 1, targets: [{ socket: '/s' }] }] } },
  ],
  [
    'a wrong policy',
    { kind: 'change', change: { routes: [{ ...live, policy: { headers: ['x'] } }] } },
  ],
  ['a very long text', { kind: 'wake-refused', appId: 'x'.repeat(20_000) }],
])('refuses %s from a server', (_what, message) => {
  expect(parseServerMessage(JSON.stringify(message))).toBeUndefined();
});

it.each(['', '{', '\u0000', '{"kind":"stop","drainMs":1e999}'])('refuses the line %j', (line) => {
  expect(parseServerMessage(line)).toBeUndefined();
});

const counters = {
  appId: 'a',
  minute: 1,
  statuses: [0, 1, 0, 0, 0],
  latencies: [1],
  bytesIn: 0,
  bytesOut: 5,
};
const accessLine = {
  appId: 'a',
  at: 1,
  method: 'GET',
  host: 'a.test',
  path: '/',
  status: 200,
  durationMs: 0.5,
  bytes: 3,
};

const fromEdge = [
  {
    kind: 'welcome',
    protocol: 1,
    build: 'b',
    pid: 2,
    listeners: [{ protocol: 'http', host: '::', port: 8080 }],
  },
  { kind: 'refused', reason: 'r' },
  { kind: 'workers', running: 1, parked: 1 },
  { kind: 'synced' },
  { kind: 'drained', id: 1 },
  { kind: 'wake', appId: 'a' },
  { kind: 'idle', appId: 'a' },
  { kind: 'access', lines: [accessLine], omitted: { a: 3 } },
  { kind: 'counters', run: 'r', batch: 1, counters: [counters] },
  { kind: 'report', level: 'warn', text: 't' },
] as EdgeMessage[];

it.each(fromEdge)('accepts the message $kind of an edge', (message) => {
  expect(parseEdgeMessage(JSON.stringify(message))).toEqual(message);
});

it.each<[string, unknown]>([
  ['a message of a server', { kind: 'stop', drainMs: 0 }],
  [
    'a status that is no number',
    { kind: 'access', lines: [{ ...accessLine, status: '200' }], omitted: {} },
  ],
  ['a path that is no text', { kind: 'access', lines: [{ ...accessLine, path: {} }], omitted: {} }],
  [
    'four classes of statuses',
    { kind: 'counters', run: 'r', batch: 1, counters: [{ ...counters, statuses: [0, 0, 0, 0] }] },
  ],
  [
    'too many latencies',
    {
      kind: 'counters',
      run: 'r',
      batch: 1,
      counters: [{ ...counters, latencies: Array(65).fill(0) }],
    },
  ],
  [
    'a negative sum of durations',
    { kind: 'counters', run: 'r', batch: 1, counters: [{ ...counters, durationMs: -1 }] },
  ],
  ['an app id that is no text', { kind: 'wake', appId: { $gt: '' } }],
  ['an unknown level', { kind: 'report', level: 'fatal', text: '' }],
])('refuses %s from an edge', (_what, message) => {
  expect(parseEdgeMessage(JSON.stringify(message))).toBeUndefined();
});
